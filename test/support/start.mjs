import { launch } from './editor/launch.mjs';

await launch('test/support/start/start.ts');
