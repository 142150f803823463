import { launch } from './editor/launch.mjs';

// `npm run screenshots -- icon` draws the icon alone.
const part = process.argv[2] === 'icon' ? 'icon' : 'screenshots';
await launch(`test/support/screenshots/${part}.ts`);
