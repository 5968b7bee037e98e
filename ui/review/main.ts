import { readOffline } from "../offline/register.ts";
import "./page.ts";

readOffline();
