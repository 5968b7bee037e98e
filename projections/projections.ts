import { projection as audit } from "./audit/projection.ts";
import { projection as conversations } from "./conversations/projection.ts";
import { projection as courses } from "./courses/projection.ts";
import { projection as explainers } from "./explainers/projection.ts";
import { projection as progress } from "./learner/projection.ts";
import type { Projection } from "./projection.ts";
import { projection as questions } from "./questions/projection.ts";
import { projection as reminders } from "./reminders/projection.ts";
import { projection as review } from "./review/projection.ts";
import { projection as sync } from "./sync/projection.ts";
import { projection as tutor } from "./tutor/projection.ts";

/** Every read model. */
export const projections: readonly Projection[] = [
  audit,
  conversations,
  courses,
  explainers,
  progress,
  questions,
  reminders,
  review,
  sync,
  tutor,
];
