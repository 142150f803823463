import { launch } from './editor/launch.mjs';

await launch('test/support/screenshots/screenshots.ts');
