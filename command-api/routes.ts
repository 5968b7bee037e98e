import type { Config } from "@colloquy/infra/config.ts";
import { aliveRoutes } from "@colloquy/infra/http/alive.ts";
import { metricsRoutes } from "@colloquy/infra/http/metrics.ts";
import type { EndedSessions } from "@colloquy/infra/identity/ended-sessions.ts";
import { authRoutes } from "@colloquy/infra/identity/routes.ts";
import { session } from "@colloquy/infra/identity/session.ts";
import type { Logger } from "@colloquy/infra/telemetry/log.ts";
import type { PassageLibrary } from "@colloquy/projections/passages/queries.ts";
import { Router } from "express";
import { askRoutes, modelsRoutes } from "./ask/routes.ts";
import type { RunningTurns } from "./ask/running-turns.ts";
import { supportModelOf } from "./grounding/support-model.ts";
import type { erasure } from "./learner/erasure.ts";
import { erasureRoutes } from "./learner/routes.ts";
import type { ModelGateway } from "./model-gateway/gateway.ts";
import type { ChangeHandlers } from "./sync/handlers.ts";
import { syncPushRoutes } from "./sync/routes.ts";
import type { TutorHandlers } from "./tutor/handlers.ts";
import { tutorRoutes } from "./tutor/routes.ts";

interface Needs {
  config: Config;
  log: Logger;
  gateway: ModelGateway;
  library: PassageLibrary;
  handlers: ChangeHandlers;
  turns: RunningTurns;
  erase: ReturnType<typeof erasure>;
  tutor: TutorHandlers;
  ended: EndedSessions;
}

/** Everything this service answers, in order. */
export function commandRoutes({ config, log, gateway, library, handlers, turns, erase, tutor, ended }: Needs): Router[] {
  return [
    aliveRoutes(),
    metricsRoutes(config),
    Router().use(session(config, ended)),
    authRoutes({ config, log, ended }),
    modelsRoutes({ gateway }),
    askRoutes({
      gateway,
      supportModel: supportModelOf(config.SUPPORT_CHECK_MODEL),
      library,
      now: () => performance.now(),
      log,
      handlers,
      turns,
    }),
    tutorRoutes({ handlers: tutor, log }),
    syncPushRoutes({ handlers }),
    erasureRoutes({ erase }),
  ];
}
