#!/bin/sh
# Starts one service of the image. Each file in /run/secrets that is named as a variable is that variable's value, unless it is set;
# so secrets stand neither in a compose file nor in what `docker inspect` shows.
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
# What healthy.ts asks.
echo "$service" > "${TMPDIR:-/tmp}/colloquy-service"
exec "$@"
