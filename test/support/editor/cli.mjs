import { launch } from './launch.mjs';

await launch('test/support/editor/cli.ts');
