// Drives the reference servers through `serve` with the MCP Inspector's command line. Part of `npm test`; needs dist/,
// which the build makes.
import { launch } from '../support/editor/launch.mjs';

await launch('test/conformance/inspector.ts');
