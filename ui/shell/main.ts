import { registerWorker } from "../offline/register.ts";
import "./shell.ts";

registerWorker();
