import { launch } from './editor/launch.mjs';

await launch('test/support/release/release.ts');
