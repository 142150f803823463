import { existsSync } from 'node:fs';
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { installOnce, type Log } from './cache';
import { npmInstall } from './npm';
import { runProgram } from './processes';
import { projectRoot } from './root';
import { CHROMIUM_VERSION, FONTS_VERSION } from './versions';

export interface Chromium {
  executable: string;
  /** Only for Chromium itself: the packaged libraries must not reach any other program. */
  env: Record<string, string>;
  description: string;
}

const NAMES = [
  'google-chrome',
  'google-chrome-stable',
  'chromium',
  'chromium-browser',
  'microsoft-edge',
  'microsoft-edge-stable',
];
const APPLICATIONS = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge',
];

function findInstalled(): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '');
  const candidates = NAMES.flatMap((name) => folders.map((folder) => join(folder, name)));
  return [...candidates, ...(process.platform === 'darwin' ? APPLICATIONS : [])].find((file) => existsSync(file));
}

/**
 * The package unpacks into TMPDIR and brings its libraries only when it believes to run on Lambda; both hold in a child
 * of its own.
 */
const UNPACK = `
import { pathToFileURL } from 'node:url';
const { default: chromium } = await import(pathToFileURL(process.argv[2]).href);
process.stdout.write(await chromium.executablePath());
`;

/**
 * The package's own configuration looks for fonts where Lambda has them, and without any font Chromium aborts.
 * The one font it brings is proportional; an editor needs a fixed-width one with symbols too.
 */
const FONTS = `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir prefix="relative">fonts</dir>
  <dir prefix="relative">../../node_modules/dejavu-fonts-ttf/ttf</dir>
  <dir>/usr/share/fonts</dir>
  <alias><family>monospace</family><prefer><family>DejaVu Sans Mono</family></prefer></alias>
  <alias><family>sans-serif</family><prefer><family>Open Sans</family><family>DejaVu Sans</family></prefer></alias>
  <alias><family>system-ui</family><prefer><family>Open Sans</family><family>DejaVu Sans</family></prefer></alias>
</fontconfig>
`;

async function unpack(folder: string): Promise<void> {
  const script = join(folder, 'unpack.mjs');
  const temporary = join(folder, 'files');
  await mkdir(temporary);
  await writeFile(script, UNPACK);
  const entry = join(projectRoot(), 'node_modules', '@sparticuz', 'chromium', 'build', 'esm', 'index.js');
  const env = { ...process.env, TMPDIR: temporary, AWS_LAMBDA_JS_RUNTIME: 'nodejs24.x' };
  await runProgram(process.execPath, [script, entry], { env });
  await chmod(join(temporary, 'chromium'), 0o755);
  await writeFile(join(folder, 'package.json'), JSON.stringify({ private: true }) + '\n');
  await npmInstall(folder, undefined, ['--save-exact', `dejavu-fonts-ttf@${FONTS_VERSION}`]);
  await writeFile(join(temporary, 'fonts', 'fonts.conf'), FONTS);
}

/** A browser of the machine where there is one, otherwise the one inside a registry package. */
export async function prepareChromium(log: Log): Promise<Chromium> {
  const installed = process.env['AGENT_CAPABILITIES_CHROMIUM'] ?? findInstalled();
  if (installed) return { executable: installed, env: {}, description: installed };
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    throw new Error(
      'no Chrome, Chromium or Edge was found, and the packaged one runs on Linux x64 only: install one, or set AGENT_CAPABILITIES_CHROMIUM',
    );
  }
  const folder = join(await installOnce(`chromium-${CHROMIUM_VERSION}-fonts-${FONTS_VERSION}`, log, unpack), 'files');
  const libraries = [join(folder, 'al2023', 'lib'), process.env['LD_LIBRARY_PATH'] ?? '']
    .filter((part) => part !== '')
    .join(delimiter);
  return {
    executable: join(folder, 'chromium'),
    env: { LD_LIBRARY_PATH: libraries, FONTCONFIG_PATH: join(folder, 'fonts') },
    description: `packaged Chromium ${CHROMIUM_VERSION}`,
  };
}
