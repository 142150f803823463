// Runs the official MCP conformance suite against our endpoint, in both protocol versions: `node test/conformance/run.mjs SUITE NODE`.
// SUITE is the folder where @modelcontextprotocol/conformance 0.2.0-alpha.12 is installed, NODE a Node of version 22 or newer, which it needs.
import { build } from 'esbuild';
import { spawn, spawnSync } from 'node:child_process';
import { mkdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { shared, validators } from '../../esbuild.mjs';

const [suite, node] = process.argv.slice(2);
if (!suite || !node) throw new Error('usage: node test/conformance/run.mjs SUITE NODE');
const exceptions = JSON.parse(await readFile('test/conformance/exceptions.json', 'utf8'));
await mkdir('.build/conformance', { recursive: true });
await build({
  ...shared,
  entryPoints: ['test/conformance/server.ts'],
  outfile: '.build/conformance/server.cjs',
  format: 'cjs',
  packages: 'external',
  plugins: [validators],
  define: { 'import.meta.url': 'undefined' },
});
const port = 20_000 + Math.floor(Math.random() * 20_000);
const server = spawn(process.execPath, ['.build/conformance/server.cjs', String(port)], { stdio: ['ignore', 'pipe', 'inherit'] });
await new Promise((resolve) => server.stdout.once('data', resolve));
let failed = 0;
try {
  for (const version of ['2025-11-25', '2026-07-28']) {
    const bin = path.join(suite, 'node_modules/@modelcontextprotocol/conformance/dist/index.js');
    const args = [bin, 'server', '--url', `http://127.0.0.1:${port}/mcp`, '--spec-version', version, '--timeout', '5000'];
    const { stdout } = spawnSync(node, args, { encoding: 'utf8', timeout: 240_000, maxBuffer: 64 * 1024 * 1024 });
    const results = [...stdout.matchAll(/^([✓✗]) ([\w/-]+): (\d+) passed, (\d+) failed/gm)];
    const passed = results.filter(([, mark]) => mark === '✓').map(([, , name]) => name);
    const open = results.filter(([, mark]) => mark === '✗').map(([, , name]) => name);
    const unexpected = open.filter((name) => !(name in exceptions));
    console.log(
      `${version}: ${passed.length} scenarios passed (${passed.join(', ')}); ${open.length - unexpected.length} do not apply; unexpected: ${unexpected.join(', ') || 'none'}`,
    );
    if (results.length === 0) console.log(stdout.slice(-2000));
    failed += unexpected.length + (results.length === 0 ? 1 : 0);
  }
} finally {
  server.kill();
}
process.exitCode = failed === 0 ? 0 : 1;
