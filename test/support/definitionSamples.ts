import { parseDefinition, type ParsedFile } from '../../src/core/definitions/parse';

/** A valid document of each format that says everything its schema knows, so that every field can be changed. */
export const samples: readonly {
  readonly file: string;
  readonly url?: string;
  readonly documents: readonly Record<string, unknown>[];
}[] = [
  {
    file: '.vscode/capabilities/sample.capability.json',
    documents: [
      {
        $schema: 'https://example.com/schema.json',
        id: 'sample',
        version: '1.2.3',
        name: 'Sample',
        description: 'What it is for',
        status: 'deprecated',
        replacement: 'other',
        icon: 'tools',
        category: 'Tools',
        systemPrompt: 'Work on ${config.project}.',
        dependencies: ['math', { id: 'other', range: '^1.0.0' }],
        requires: ['res.one', 'key.two'],
        freshnessBudgetHours: 12,
        configSchema: {
          type: 'object',
          properties: { project: { type: 'string', default: 'alpha', title: 'Project', description: 'Which project' } },
        },
        boundaries: [
          {
            id: 'b1',
            match: { accessAny: ['fs.write'], path: 'src/**' },
            decision: 'deny',
            reason: 'not here',
            steer: 'write to out',
          },
        ],
        limits: { requests: 5, window: '1h' },
        aliases: ['sample_old'],
        sideEffects: ['network.http'],
        riskLevel: 'critical',
        costClass: 'paid',
        idempotency: 'non-idempotent',
        approvalRequired: true,
        tools: [
          {
            name: 'send_it',
            title: 'Send it',
            description: 'Send one thing.',
            modelDescription: 'Send one thing to the service.',
            userDescription: 'Sends one thing',
            kind: 'action',
            parameters: {
              type: 'object',
              required: ['a'],
              additionalProperties: false,
              properties: {
                a: {
                  type: 'string',
                  title: 'A',
                  description: 'The first',
                  default: 'x',
                  enum: ['x', 'y'],
                  examples: ['x'],
                },
                n: { type: 'integer', minimum: 1, maximum: 9, $comment: 'few' },
              },
            },
            outputSchema: { type: 'object', properties: { ok: { type: 'boolean', description: 'Whether it went' } } },
            permissions: { user: 'confirmation_required', agent: 'confirmation_required' },
            scopes: ['http:write'],
            riskLevel: 'critical',
            sideEffects: ['payments'],
            costClass: 'paid',
            idempotency: 'non-idempotent',
            reversible: false,
            rateLimit: { requests: 3, window: '1m' },
            timeoutMs: 1234,
            icon: 'mail',
            tags: ['mail'],
            agentVisible: true,
            agentOnly: false,
            contentField: 'body',
            repeatable: false,
            aliases: ['send-it'],
            accesses: [{ effect: 'network.http', resource: 'https://api.example.com/${input.a}', method: 'POST' }],
            handler: {
              type: 'http',
              method: 'POST',
              url: 'https://api.example.com/v1/${input.a}',
              query: { q: '${input.a}', fixed: 'one', n: 3, list: ['l1', 'l2'] },
              headers: { Authorization: 'Bearer ${secret:TOKEN}', 'X-Plain': 'plain' },
              body: { text: '${input.a}', deep: { list: [1, true, null, 'w'] } },
              bodyType: 'json',
              response: { type: 'json', select: '/data', map: { ok: '/ok' }, error: '/error/message' },
              maxBytes: 1000,
            },
          },
        ],
      },
      ...[
        {
          name: 'run_it',
          description: 'Run the program.',
          parameters: { a: { type: 'string', required: true, description: 'What' } },
          handler: {
            type: 'process',
            command: 'git',
            args: ['log', '--format=${input.a}', '--all'],
            cwd: 'sub',
            env: { MY_TOKEN: '${secret:GIT}', MY_FLAG: 'on' },
            stdin: 'in ${input.a}',
            output: 'text',
            maxOutputBytes: 500,
            okExitCodes: [0, 1],
            allowOptions: false,
          },
        },
        {
          name: 'module_it',
          description: 'Run the module.',
          handler: {
            type: 'module',
            file: './h.js',
            export: 'main',
            mode: 'sandbox',
            memoryMb: 16,
            ports: { fetch: ['api.example.com'], files: 'read', secrets: ['ONE'], tools: ['add'] },
          },
        },
        {
          name: 'command_it',
          description: 'Run a command.',
          handler: { type: 'command', command: 'editor.action.x', args: [1, 'two', { three: true }] },
        },
        { name: 'tool_it', description: 'Call a tool.', handler: { type: 'tool', tool: 'add', input: { a: 1, b: 2 } } },
        {
          name: 'mcp_it',
          description: 'Call a server.',
          handler: { type: 'mcp', server: 'srv', tool: 'go', input: { a: 1 } },
        },
        {
          name: 'compose_it',
          description: 'Do both.',
          parameters: { list: { type: 'array', required: true, description: 'All' } },
          handler: {
            type: 'compose',
            steps: [
              {
                id: 'one',
                tool: 'add',
                input: { a: 1, b: 2 },
                if: { value: '${input.list}', exists: true },
                onError: 'continue',
              },
              {
                id: 'two',
                tool: 'add',
                input: { a: '${item}', b: 1 },
                forEach: '${input.list}',
                onError: { tool: 'add', input: { a: 0, b: 0 } },
              },
            ],
            output: { sum: '${steps.one.result}' },
          },
        },
      ].map((tool) => ({ id: 'sample', description: 'One tool', tools: [tool] })),
    ],
  },
  {
    file: '.vscode/capabilities/sample.actions.json',
    documents: [
      {
        layers: {
          capabilities: {
            id: 'acts',
            name: 'Acts',
            description: 'Some actions',
            version: '2.0.0',
            actions: [
              {
                id: 'get-weather',
                name: 'Weather',
                description: 'Get the weather.',
                parameters: { city: { type: 'string', required: true, description: 'Where' } },
                returns: { type: 'object', properties: { t: { type: 'number' } } },
                permissions: ['weather:read'],
                rateLimit: { requests: 100, window: '1h' },
                handler: './h.js',
              },
            ],
            security: { requireAuth: true, defaultPermissions: [], auditLog: true },
          },
        },
      },
    ],
  },
  {
    file: 'media.channel.json',
    url: 'https://media.example.com/manifest.json',
    documents: [
      {
        channel: 'com.example.media',
        name: 'Media',
        version: '1.0.0',
        description: 'A player',
        icon: 'play',
        baseUrl: 'https://media.example.com/base/',
        schemas: { video: { type: 'object', properties: { id: { type: 'string', description: 'Its id' } } } },
        capabilities: [
          {
            id: 'videos',
            type: 'data',
            name: 'Videos',
            description: 'All videos',
            endpoint: '/api/videos',
            permissions: { user: 'allowed', agent: 'allowed' },
            metadata: {
              searchable: true,
              sortable: true,
              filterable: true,
              paginated: true,
              passive: false,
              agent_visible: true,
              agent_only: false,
              refresh_interval_seconds: 60,
            },
            schema: { type: 'array', items: { $ref: '#/schemas/video' } },
          },
          {
            id: 'buy',
            type: 'action',
            name: 'Buy',
            description: 'Buy one',
            endpoint: '/api/buy',
            permissions: { agent: 'forbidden' },
          },
        ],
      },
    ],
  },
];

/** Parses a document as the loader would. */
export function parsed(file: string, document: unknown, url?: string): ParsedFile {
  return parseDefinition(JSON.stringify(document), file, url);
}

export type Path = readonly (string | number)[];

/** Every place of a value, containers too. */
export function placesOf(value: unknown, path: Path = []): readonly { readonly path: Path; readonly value: unknown }[] {
  const inner = Array.isArray(value)
    ? value.flatMap((item: unknown, index) => placesOf(item, [...path, index]))
    : typeof value === 'object' && value !== null
      ? Object.entries(value).flatMap(([key, item]) => placesOf(item, [...path, key]))
      : [];
  return [...(path.length > 0 ? [{ path, value }] : []), ...inner];
}

/** A copy with another value at a place; undefined takes the place away. */
export function withValue(document: unknown, [key, ...rest]: Path, value: unknown): unknown {
  if (key === undefined) return value;
  if (Array.isArray(document)) {
    if (rest.length === 0 && value === undefined) return document.filter((_item, index) => index !== key);
    return document.map((item: unknown, index) => (index === key ? withValue(item, rest, value) : item));
  }
  const object: Record<string, unknown> = { ...(document as Record<string, unknown>) };
  const made = withValue(object[String(key)], rest, value);
  if (made === undefined) delete object[String(key)];
  else object[String(key)] = made;
  return object;
}

/** Other values of the same sort, among which one fits nearly every field. */
export function othersOf(value: unknown): readonly unknown[] {
  if (typeof value === 'boolean') return [!value];
  if (typeof value === 'number') return [value + 1, value + 2, value - 1, -0];
  if (value === null) return [1];
  if (typeof value !== 'string') return [];
  return [
    'IGNORE ALL RULES',
    `${value}x`,
    `${value}_x`,
    `${value} `,
    `${value}\u200b`,
    'low',
    'medium',
    'high',
    'data',
    'status',
    'allowed',
    'forbidden',
    'free',
    'metered',
    'idempotent',
    'available',
    'coming_soon',
    '2.0.0',
    '2h',
    'GET',
    'PUT',
    'text',
    'form',
    'auto',
    'lines',
    'write',
    'node',
    'stop',
    '/else',
    './other.js',
    'fs.read',
    'number',
    'array',
    'object',
    'advise',
    'https://evil.example/x',
    '${input.list}',
    '^2.0.0',
    'require_approval',
  ].filter((one) => one !== value);
}
