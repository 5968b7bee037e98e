import type { Catalogue } from "../words.ts";
import { audit } from "./audit.ts";
import { conversation } from "./conversation.ts";
import { drafts } from "./drafts.ts";
import { editing } from "./editing.ts";
import { embed } from "./embed.ts";
import { explainer } from "./explainer.ts";
import { learning } from "./learning.ts";
import { ledger } from "./ledger.ts";
import { publishing } from "./publishing.ts";
import { catalogue as reading } from "./reading.ts";
import { remarks } from "./remarks.ts";
import { review } from "./review.ts";
import { workspace } from "./workspace.ts";

/** Arabic, for every element of the interface. */
export const catalogue: Catalogue = {
  ...reading,
  ...conversation,
  ...learning,
  ...ledger,
  ...explainer,
  ...review,
  ...embed,
  ...workspace,
  ...audit,
  ...publishing,
  ...editing,
  ...drafts,
  ...remarks,
};
