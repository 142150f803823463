// Runs real agents, pinned and from the registry, against a scripted model on loopback. `npm run test:agents` runs all,
// `npm test` the two quickest. Needs dist/, which the build makes.
import { launch } from '../support/editor/launch.mjs';

await launch('test/realAgents/suite.ts');
