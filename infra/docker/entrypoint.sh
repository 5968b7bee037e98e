#!/bin/sh
# Starts one service of the image. Each file in /run/secrets sets the variable of the same name unless it is already set,
# so that secrets are neither in a compose file nor shown by `docker inspect`.
set -eu
cd "$(dirname "$0")/../.."
for file in "${SECRETS_FOLDER:-/run/secrets}"/*; do
  name=${file##*/}
  case $name in *[!A-Z0-9_]* | [0-9]*) continue ;; esac
  [ -f "$file" ] || continue
  eval "given=\${$name:-}"
  [ -n "$given" ] || export "$name=$(cat "$file")"
done
service=${1:-front-door}
case $service in
  front-door) set -- node infra/http/main.ts ;;
  command-api | query-api | projections) set -- node "$service/main.ts" ;;
  relay) set -- node infra/kafka/relay/main.ts ;;
  render-worker) set -- node render-service/main.ts ;;
  # Tools, such as: node projections/cli.ts rebuild all
  *) exec "$@" ;;
esac
# Used by healthy.ts.
echo "$service" > "${TMPDIR:-/tmp}/colloquy-service"
exec "$@"
