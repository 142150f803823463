import { statSync } from 'node:fs';
import { projectRoot } from '../editor/root';
import { buildAndPackage } from './packageExtension';

buildAndPackage(projectRoot()).then(
  (vsix) => console.log(`${vsix} (${(statSync(vsix).size / 1024).toFixed(0)} KB)`),
  (error: unknown) => {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  },
);
