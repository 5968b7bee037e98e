import { readOffline } from "../offline/register.ts";
import "./shell.ts";

readOffline();
