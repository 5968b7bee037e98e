import { readOffline } from "../offline/register.ts";
import "./workspace.ts";

readOffline();
