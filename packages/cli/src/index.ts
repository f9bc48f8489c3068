export { EXIT } from "./exit-codes.ts";
export { main, type Terminal } from "./main.ts";
