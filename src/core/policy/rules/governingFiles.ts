import { anywhere, buildPaths, governingPaths, pipelinePaths } from './presetPaths';
import { listTest, type PathTest } from './secretFiles';

const governingFiles = anywhere([governingPaths, pipelinePaths, buildPaths].flat().flatMap(({ paths }) => paths));

/** True for the files about whose change a preset may ask, whichever is chosen. */
export const isGoverningFile: PathTest = listTest(governingFiles);
