// Runs the official MCP conformance suite against our server and our client, in both protocol versions. Part of `npm
// test`. `node test/conformance/run.mjs [server|client] [--scenario NAME] [--verbose]` runs a part of it.
import { launch } from '../support/editor/launch.mjs';

await launch('test/conformance/suite.ts');
