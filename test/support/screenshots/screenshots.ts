import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { openEditor, type PersonEditor, publishRuntime } from '../editor/person';
import { handleSignals, shutdown } from '../editor/processes';
import { projectRoot } from '../editor/root';
import { EditorSession } from '../editor/session';
import { buildAndPackage } from '../start/packageExtension';
import { SAMPLE_SETTINGS } from '../start/sample';
import { startSite } from '../start/site';
import { takeLooks } from './looks';
import { toPalette } from './palettePng';
import { SHOTS, type Shot } from './shots';
import { WALKTHROUGH } from './walkthrough';

const SITE_PORT = 4580;

const openSample = (
  viewport = { width: 1280, height: 800 },
  settings: Record<string, unknown> = {},
): Promise<PersonEditor> =>
  openEditor({
    workspace: 'test/support/sample-workspace',
    folderName: 'ferry-times',
    asInstalled: true,
    viewport,
    settings: { ...SAMPLE_SETTINGS, ...settings },
  });

async function take(shot: Shot, folder: string): Promise<void> {
  const editor = await openSample(shot.size, shot.settings);
  try {
    const selector = await shot.steps(editor);
    // Animations of the chat and of notifications come to rest before the picture is taken.
    await editor.page.waitForTimeout(1_000);
    const file = join(folder, `${shot.name}.png`);
    await editor.workbench.screenshot(file, selector ? editor.page.locator(selector).first() : undefined);
    await writeFile(file, toPalette(await readFile(file)));
    console.log(`${shot.name}.png: ${shot.shows}`);
  } finally {
    await editor.close();
  }
}

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { vsix: { type: 'string' }, out: { type: 'string' } },
  });
  const root = projectRoot();
  const media = resolve(root, values.out ?? 'media');
  const vsix = values.vsix ? resolve(values.vsix) : await buildAndPackage(root);
  await startSite(join(root, 'test', 'support', 'sample-site'), SITE_PORT);
  const session = await EditorSession.start(console.log);
  publishRuntime({ session, vsix: [vsix], window: undefined });
  for (const [name, shots] of [
    ['screenshots', SHOTS],
    ['walkthrough', WALKTHROUGH],
  ] as const) {
    const folder = join(media, name);
    await mkdir(folder, { recursive: true });
    // A part is named by its folder or by its own name: `npm run screenshots -- walkthrough`, `… tree`.
    const wanted = (shot: Shot): boolean =>
      positionals.length === 0 || positionals.includes(name) || positionals.includes(shot.name);
    for (const shot of shots.filter(wanted)) await take(shot, folder);
  }
  // Nobody's documentation shows these: they are made to be looked at.
  if (positionals.includes('looks')) {
    const folder = join(root, '.build', 'looks');
    await mkdir(folder, { recursive: true });
    const editor = await openSample();
    await takeLooks(editor, folder).finally(() => editor.close());
    console.log(`looks: ${folder}`);
  }
  await session.stop();
}

handleSignals();
main()
  .then(
    () => 0,
    (error: unknown) => {
      console.error(error);
      return 1;
    },
  )
  .then(async (code) => {
    await shutdown();
    process.exit(code);
  });
