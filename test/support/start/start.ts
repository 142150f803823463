import { resolve, join } from 'node:path';
import { parseArgs } from 'node:util';
import { prepareEditor } from '../editor/install';
import { handleSignals, onShutdown, shutdown } from '../editor/processes';
import { projectRoot } from '../editor/root';
import { startServer } from '../editor/server';
import { findDesktopApp, runDesktopApp } from './desktopApp';
import { buildAndPackage, packageGuide } from './packageExtension';
import { startScriptedModel } from './scriptedModel';
import { startPlace } from './ownPlace';
import { copySample, SAMPLE_SETTINGS } from './sample';
import { freePort, startSite } from './site';

const SITE_PORT = 4580;
const EDITOR_PORT = 4590;

const log = (line: string): void => console.log(line);

async function start(): Promise<void> {
  const { values } = parseArgs({ options: { vsix: { type: 'string' }, trust: { type: 'boolean', default: false } } });
  const root = projectRoot();
  const { folder, isFirst, release } = startPlace(join(root, '.cache'));
  onShutdown(release);
  if (!isFirst) log(`another \`npm start\` of this checkout runs: this one uses ${folder} and ports of its own`);
  const workspace = join(folder, 'workspace');
  log('building and packaging the extension');
  const vsix = values.vsix ? resolve(values.vsix) : await buildAndPackage(root);
  const site = await startSite(join(root, 'test', 'support', 'sample-site'), SITE_PORT);
  onShutdown(site.close);
  await copySample(root, workspace, site.url);
  const model = await startScriptedModel(site.url);
  onShutdown(model.close);
  const guide = await packageGuide(root);

  const wanted = process.env['AGENT_CAPABILITIES_EDITOR'];
  const app = wanted === 'code-server' ? undefined : findDesktopApp();
  if (!app && wanted === 'desktop')
    throw new Error('no desktop VS Code: put `code` on PATH or name it with VSCODE_PATH, and have a display');
  if (app) {
    log(`editor: desktop VS Code (${app}); close its window or press Ctrl+C to end`);
    await runDesktopApp(app, { folder, workspace, vsix: [vsix, guide], userFiles: model.userFiles }, SAMPLE_SETTINGS);
    return;
  }
  log('editor: code-server in the browser (no desktop VS Code with a display was found)');
  const editor = await prepareEditor(log);
  const port = await freePort(Number(process.env['AGENT_CAPABILITIES_PORT'] ?? EDITOR_PORT));
  const server = await startServer(editor, {
    vsix: [vsix, guide],
    userFiles: model.userFiles,
    settings: SAMPLE_SETTINGS,
    workspaceTrust: values.trust,
    port,
    testDriver: false,
  });
  log('');
  log(`  Open   ${server.url}/?folder=${encodeURIComponent(workspace)}`);
  log(`  Site   ${site.url}   (something for web_fetch)`);
  log(`  Files  ${workspace}`);
  log('');
  log(
    'The agent behind the chat is a script ("Tour script (no AI)"): press the buttons in README.md. A real model: sign in, or "Chat: Manage Language Models". Ctrl+C ends it.',
  );
  await server.ended;
  throw new Error(`code-server ended:\n${server.log().slice(-2_000)}`);
}

handleSignals();
start().then(
  async () => {
    await shutdown();
    process.exit(0);
  },
  async (error: unknown) => {
    console.error(error instanceof Error ? error.message : error);
    await shutdown();
    process.exit(1);
  },
);
