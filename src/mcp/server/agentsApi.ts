import { plainName } from '../../core/vocabulary/names';
import { changeAgent, createAgent, type Refusal, type SavingOptions } from '../../core/agent/saveAgent';
import { defined, isObject, type Json, type JsonObject, sanitizeJson, typeName } from '../../core/base/json';
import type { Capability } from '../../core/capability/capability';
import type { Crypto } from '../../core/ports/platform';
import type { AllowanceField } from '../../core/profiles/allowance';
import type { Profile, ProfileEntry } from '../../core/profiles/profile';
import { isProfileId } from '../../core/profiles/profileFile';

/** One request of the agents' API, after the transport has checked who asks. */
interface ApiRequest {
  readonly method: string;
  /** The path without the query: `/v1/agents/reviewer`. */
  readonly path: string;
  readonly body?: unknown;
}

interface ApiResponse {
  readonly status: number;
  /** What HTTP wants beside the body, such as `allow` of a 405. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: JsonObject;
}

export interface AgentsApiOptions extends SavingOptions {
  readonly crypto: Crypto;
  /** What to do about a refusal where nobody can be asked. */
  readonly mend?: string;
}

const longest = { name: 200, systemPrompt: 100_000, capabilities: 500 };

class ApiError extends Error {
  readonly response: ApiResponse;

  constructor(status: number, code: string, message: string, headers?: ApiResponse['headers']) {
    super(message);
    this.response = defined({ status, headers, body: { error: { code, message } } });
  }
}

/**
 * The endpoints: `GET /v1/capabilities`, `GET /v1/capabilities/{id}`, `POST /v1/agents`, `PATCH` and `GET
 * /v1/agents/{id}`. An agent is a profile. A change that allows more than holds now, or that changes what a model is
 * told, asks the person first.
 */
export class AgentsApi {
  readonly #options: AgentsApiOptions;
  /** The ids of agents that are being created: no other takes them. */
  readonly #coming = new Set<string>();

  constructor(options: AgentsApiOptions) {
    this.#options = options;
  }

  /** Whether a request of this method to this path has a body that means something. */
  takesBody(method: string, path: string): boolean {
    const named = /^\/v1\/+agents(\/+[^/]+)?\/*$/.exec(path);
    return named !== null && method === (named[1] === undefined ? 'POST' : 'PATCH');
  }

  async handle(request: ApiRequest, signal: AbortSignal): Promise<ApiResponse> {
    try {
      return await this.#route(request, signal);
    } catch (error) {
      if (error instanceof ApiError) return error.response;
      throw error;
    }
  }

  async #route({ method: asked, path, body }: ApiRequest, signal: AbortSignal): Promise<ApiResponse> {
    // HEAD is GET whose answer comes without its body (RFC 9110 9.3.2): HTTP leaves that out by itself.
    const method = asked === 'HEAD' ? 'GET' : asked;
    const parts = path.split('/').filter((part) => part !== '');
    const [version, kind, id, ...rest] = parts;
    if (version !== 'v1' || rest.length > 0) throw notFound(path);
    const name = id === undefined ? undefined : decode(id);
    if (kind === 'capabilities') {
      if (method !== 'GET') throw wrongMethod(method, 'GET, HEAD');
      return name === undefined ? this.#list() : this.#one(name);
    }
    if (kind === 'agents') {
      if (name === undefined) {
        if (method === 'POST') return this.#create(body, signal);
        if (method === 'GET') return this.#agents();
        throw wrongMethod(method, 'GET, HEAD, POST');
      }
      if (method === 'GET') return { status: 200, body: this.#describe(this.#profile(name)) };
      if (method === 'PATCH') return this.#update(name, body, signal);
      throw wrongMethod(method, 'GET, HEAD, PATCH');
    }
    throw notFound(path);
  }

  #list(): ApiResponse {
    const items = this.#options.registry.capabilities().map((one) => describeCapability(one));
    return { status: 200, body: { items, total: items.length } };
  }

  #one(id: string): ApiResponse {
    const capability = this.#options.registry.capability(id);
    if (!capability) {
      const near = hint(this.#options.registry.nearestCapabilities(id));
      throw new ApiError(404, 'not_found', `there is no capability \`${id}\`${near}`);
    }
    return {
      status: 200,
      body: {
        ...describeCapability(capability),
        version: capability.version,
        ...(capability.systemPrompt ? { system_prompt: capability.systemPrompt } : {}),
        tools: capability.tools.map(({ definition }) => ({
          name: definition.name,
          description: definition.modelDescription,
          kind: definition.kind,
          risk_level: definition.riskLevel,
          // Schemas are plain JSON by their definition.
          parameters: definition.inputSchema as JsonObject,
        })),
      },
    };
  }

  #agents(): ApiResponse {
    const items = [...this.#options.profiles.profiles().values()].map(({ profile }) => this.#describe(profile));
    return { status: 200, body: { items, total: items.length } };
  }

  #profile(id: string): Profile {
    const found = this.#options.profiles.profiles().get(id)?.profile;
    if (!found) throw noAgent(id);
    return found;
  }

  #describe(profile: Profile): JsonObject {
    return {
      id: profile.id,
      name: profile.name,
      ...(profile.description === '' ? {} : { description: profile.description }),
      system_prompt: profile.systemPrompt,
      capabilities: profile.capabilities.filter((entry) => entry.enabled).map((entry) => entry.ref),
      mode: profile.mode,
      status: 'active',
    };
  }

  async #create(body: unknown, signal: AbortSignal): Promise<ApiResponse> {
    const fields = readBody(body);
    const name = text(fields, 'name', longest.name) ?? '';
    if (name.trim() === '') throw invalid('/name must be a non-empty string');
    const given = this.#given(fields, []);
    let id = '';
    const make = (): Profile => {
      this.#coming.delete(id);
      this.#coming.add((id = this.#freeId(name)));
      const empty = { id, name, description: '', systemPrompt: '', mode: 'execute', capabilities: [] } as const;
      return { ...empty, origin: 'user', ...given };
    };
    try {
      const saved = await createAgent(make, this.#options, signal);
      if ('type' in saved) throw this.#refused(id, name, saved);
      const headers = { location: `/v1/agents/${encodeURIComponent(id)}` };
      return { status: 201, headers, body: this.#describe(saved) };
    } finally {
      this.#coming.delete(id);
    }
  }

  async #update(id: string, body: unknown, signal: AbortSignal): Promise<ApiResponse> {
    const current = this.#profile(id);
    const fields = readBody(body);
    const change = (profile: Profile): Profile => ({ ...profile, ...this.#given(fields, profile.capabilities) });
    const { name } = change(current);
    if (name.trim() === '') throw invalid('/name must be a non-empty string');
    const saved = await changeAgent(id, change, this.#options, signal);
    if ('type' in saved) throw this.#refused(id, name, saved);
    return { status: 200, body: this.#describe(saved) };
  }

  /** What a body says of an agent. */
  #given(fields: Readonly<Record<string, unknown>>, before: readonly ProfileEntry[]) {
    return defined({
      name: text(fields, 'name', longest.name),
      description: text(fields, 'description', 1000),
      systemPrompt: text(fields, 'system_prompt', longest.systemPrompt),
      capabilities: this.#entries(fields, before),
    });
  }

  /**
   * The capabilities in the order of the array; what a profile says about one that stays (its configuration, its tools)
   * stays too.
   */
  #entries(
    fields: Readonly<Record<string, unknown>>,
    before: readonly ProfileEntry[],
  ): readonly ProfileEntry[] | undefined {
    const raw = fields['capabilities'];
    if (raw === undefined) return undefined;
    if (!Array.isArray(raw)) throw invalid(`/capabilities must be an array (got ${typeName(raw)})`);
    if (raw.length > longest.capabilities) throw invalid(`/capabilities must hold at most ${longest.capabilities} ids`);
    const { registry } = this.#options;
    const entries: ProfileEntry[] = [];
    const seen = new Set<string>();
    raw.forEach((ref: unknown, index) => {
      if (typeof ref !== 'string') throw invalid(`/capabilities/${index} must be string (got ${typeName(ref)})`);
      const capability = registry.capability(ref);
      if (!capability)
        throw invalid(
          `/capabilities/${index} \`${ref}\` is not a capability${hint(registry.nearestCapabilities(ref))}`,
        );
      if (seen.has(capability.id)) throw invalid(`/capabilities/${index} names \`${capability.id}\` twice`);
      seen.add(capability.id);
      const old = before.find((entry) => registry.capability(entry.ref)?.id === capability.id);
      entries.push({ ref, enabled: true, tools: old?.tools ?? {}, config: old?.config ?? {} });
    });
    return entries;
  }

  #refused(id: string, name: string, refusal: Refusal): ApiError {
    switch (refusal.type) {
      case 'gone':
        return noAgent(id);
      case 'held-back':
        return new ApiError(
          409,
          'not_reviewed',
          `the workspace changed the agent \`${id}\` and the user has not reviewed that` +
            '; until then it can only be made smaller',
        );
      case 'declined':
        return declined(name, refusal, this.#options.mend);
    }
  }

  #freeId(name: string): string {
    const base = plainName(name.toLowerCase().normalize('NFKD'), '-').slice(0, 40) || 'agent';
    const isTaken = this.#options.profiles.profiles().has(base) || this.#coming.has(base);
    if (!isTaken && isProfileId(base)) return base;
    return `${isProfileId(`${base}-`) ? base : `agent-${base}`}-${this.#options.crypto.randomId().slice(0, 8)}`;
  }
}

function describeCapability(capability: Capability): Record<string, Json> {
  return {
    id: capability.id,
    name: capability.name,
    description: capability.description,
    status: capability.status,
    ...(capability.icon ? { icon: capability.icon } : {}),
    ...(capability.category ? { category: capability.category } : {}),
  };
}

function readBody(body: unknown): Readonly<Record<string, unknown>> {
  const clean = isObject(body) ? sanitizeJson(body, 8) : body;
  const known = new Set(['name', 'description', 'system_prompt', 'capabilities']);
  if (!isObject(clean)) throw invalid(`the body must be an object (got ${typeName(body)})`);
  for (const key of Object.keys(clean)) if (!known.has(key)) throw invalid(`/${key} is not a known property`);
  return clean;
}

function text(fields: Readonly<Record<string, unknown>>, key: string, most: number): string | undefined {
  const value = fields[key];
  if (value === undefined) return undefined;
  if (typeof value !== 'string') throw invalid(`/${key} must be string (got ${typeName(value)})`);
  if (value.length > most) throw invalid(`/${key} must have at most ${most} characters`);
  return value;
}

const invalid = (message: string): ApiError => new ApiError(400, 'invalid_input', message);
const noAgent = (id: string): ApiError => new ApiError(404, 'not_found', `there is no agent \`${id.slice(0, 200)}\``);
const notFound = (path: string): ApiError =>
  new ApiError(404, 'not_found', `there is nothing at \`${path.slice(0, 200)}\``);

/** What a client is told that was not approved. */
const fieldWords: Readonly<Record<AllowanceField, string>> = {
  tools: 'more tools',
  scopes: 'more scopes',
  mode: 'the mode `execute`',
  configuration: 'another configuration',
  boundaries: 'fewer boundaries',
  limits: 'fewer limits',
  requirements: 'fewer requirements',
  basePrompt: 'another `system_prompt`',
  promptAdditions: 'other instructions of its capabilities',
};

function declined(
  name: string,
  { added, fields }: Extract<Refusal, { type: 'declined' }>,
  mend: string | undefined,
): ApiError {
  const what = [
    ...added.slice(0, 10),
    ...fields.filter((field) => field !== 'tools').map((field) => fieldWords[field]),
  ];
  return new ApiError(
    403,
    'declined',
    `the user has not approved what the agent \`${name}\` would get: ${what.join(', ')}${mend === undefined ? '' : `; ${mend}`}`,
  );
}
const wrongMethod = (method: string, allowed: string): ApiError =>
  new ApiError(405, 'unsupported', `\`${method.slice(0, 20)}\` is not possible here; use ${allowed}`, {
    allow: allowed,
  });

function hint(names: readonly string[]): string {
  return names.length > 0 ? `; did you mean ${names.map((name) => `\`${name}\``).join(' or ')}` : '';
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    throw new ApiError(400, 'invalid_input', 'the path is not valid');
  }
}
