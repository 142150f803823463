// The client under test of the official conformance suite: the product's own gateway, with the suite's server as an
// entry of the setting. `node client.cjs VERSION` stays and plays the scenarios that ask.ts hands it.
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from '../../src/cli/args';
import { optionsOf, workspaceUsage } from '../../src/cli/usage';
import { openWorkspace } from '../../src/cli/openWorkspace';
import { isObject } from '../../src/core/base/json';
import { nobody, type ServerUser } from '../../src/core/foreign/serverUser';
import type { RegisteredTool } from '../../src/core/registry/registry';

const version = process.argv[2];

interface Scenario {
  readonly scenario: string;
  /** What the suite tells the client beside the address. */
  readonly context: unknown;
  readonly url: string;
}

/** What a form holds before anybody types: the defaults of its fields. */
function prefilled(schema: { readonly [key: string]: unknown }): Record<string, string | number | boolean> {
  const fields = isObject(schema['properties']) ? Object.entries(schema['properties']) : [];
  const content: Record<string, string | number | boolean> = {};
  for (const [name, field] of fields) {
    const value = isObject(field) ? field['default'] : undefined;
    if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') content[name] = value;
  }
  return content;
}

/** Says yes to everything and sends each form as it was shown. */
const user: ServerUser = {
  ...nobody,
  approveServer: async () => true,
  approveTools: async () => 'approve',
  elicit: async (request) => ({ action: 'accept', content: request.type === 'form' ? prefilled(request.schema) : {} }),
  sample: async () => ({ model: 'test', text: 'a completion' }),
  // The browser of a person who is signed in already: the authorization server sends it straight back.
  signIn: async ({ url: page }) => {
    await fetch(page).catch((error: unknown) => console.error(String(error)));
    return true;
  },
};

/** What the user has written about signing in, where a scenario supposes that. */
function oauth({ scenario, context }: Scenario): object {
  if (scenario === 'auth/basic-cimd')
    return { clientMetadataUrl: 'https://conformance-test.local/client-metadata.json' };
  if (scenario === 'auth/pre-registration' && isObject(context))
    return { clientId: context['client_id'], clientSecret: '${secret:conformance}' };
  return {};
}

interface Wanted {
  readonly name: string;
  readonly input: unknown;
}

/**
 * Which tools a scenario wants called: those that it names, else every one that is listed, with small values for what
 * is required.
 */
function wantedCalls({ scenario, context }: Scenario, tools: readonly RegisteredTool[]): readonly Wanted[] {
  const named = isObject(context) && Array.isArray(context['toolCalls']) ? context['toolCalls'] : undefined;
  // An optional argument without a value is left out: the gate takes null only where the schema does.
  const given = (input: unknown): object =>
    Object.fromEntries(Object.entries(input ?? {}).filter(([, value]) => value !== null));
  if (named)
    return named.filter(isObject).map((one) => ({ name: String(one['name']), input: given(one['arguments']) }));
  if (scenario === 'json-schema-2020-12-preservation') {
    const focal = tools.find((tool) => tool.definition.name === 'json_schema_2020_12_tool');
    return [{ name: 'json_schema_echo', input: { schema: focal?.definition.inputSchema } }];
  }
  if (scenario === 'json-schema-ref-no-deref') return [];
  return tools.map(({ definition }) => ({ name: definition.name, input: example(definition.inputSchema) }));
}

function example(schema: RegisteredTool['definition']['inputSchema']): Record<string, unknown> {
  const input: Record<string, unknown> = {};
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    const { type } = property as { type?: unknown };
    input[name] =
      type === 'number' || type === 'integer' ? 2 : type === 'boolean' ? true : type === 'object' ? {} : 'text';
  }
  return input;
}

/** Calls what a scenario wants called, and tells what came of it. */
async function play(played: Scenario, tell: (line: string) => void): Promise<void> {
  const { url, context } = played;
  const folder = mkdtempSync(path.join(tmpdir(), 'agent-capabilities-conformance-'));
  const settings = {
    'mcp.servers': { suite: { type: 'http', url, protocol: version, oauth: oauth(played) } },
    // The suite's servers listen here; everything else that is private stays closed.
    'network.allowedPrivateHosts': ['localhost', '127.0.0.1'],
    'policy.preset': 'open',
  };
  const secret = isObject(context) ? { AGENT_CAPABILITIES_SECRET_CONFORMANCE: String(context['client_secret']) } : {};
  const args = parseArgs(
    [
      '--workspace',
      folder,
      '--yes',
      ...Object.entries(settings).flatMap(([key, value]) => ['--set', `${key}=${JSON.stringify(value)}`]),
    ],
    optionsOf(workspaceUsage),
  );
  const io = {
    out() {},
    error: tell,
    environment: { PATH: process.env['PATH'], ...secret },
  };
  const opened = await openWorkspace(args, io, { serverUser: user });
  const { core } = opened;
  try {
    await core.servers.list.discover();
    const tools = core.tools.registry.tools().filter(({ source }) => source.type === 'mcp');
    tell(JSON.stringify(core.servers.list.list()));
    for (const { name, input } of wantedCalls(played, tools)) {
      const result = await core.gate.router.invoke({
        tool: `mcp:suite:${name}`,
        input,
        actor: { type: 'user', id: 'conformance' },
        surface: 'mcp',
      });
      tell(`${name}: ${JSON.stringify(result).slice(0, 500)}`);
    }
    tell(core.servers.list.log('suite').join('\n'));
  } finally {
    await opened.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function tooLate(): Promise<never> {
  await setTimeout(120_000, undefined, { ref: false });
  throw new Error('took too long');
}

// They are played one after another: the suite starts all of them at once, and some measure how long an answer takes.
let last: Promise<unknown> = Promise.resolve();
const server = createServer(async (request, response) => {
  const played = JSON.parse(await text(request)) as Scenario;
  const lines = [played.scenario];
  last = last
    .then(() => Promise.race([play(played, (line) => lines.push(line)), tooLate()]))
    .then(
      () => 200,
      (error: unknown) => (lines.push(String(error)), 500),
    )
    .then((status) => response.writeHead(status).end(`${lines.join('\n')}\n`));
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  console.log(`listening on ${typeof address === 'object' ? address?.port : ''}`);
});
