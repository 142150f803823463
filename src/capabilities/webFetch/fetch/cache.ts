import { isObject, type JsonObject } from '../../../core/base/json';
import { isAllowedPrivateHost, judgeAddress } from '../../../core/hosts/address';
import type { BlobStore } from '../../../core/ports/blobs';
import type { HttpResponse } from '../../../core/ports/http';
import type { ToolPorts } from '../../../core/ports/toolPorts';

/** A stored answer may serve the next part of a page for so long, even where it is no longer fresh. */
const continuationMs = 15 * 60_000;
const maxHeuristicMs = 60 * 60_000;

interface CachedAnswer {
  readonly response: HttpResponse;
  readonly storedMs: number;
  readonly freshUntilMs: number;
}

/**
 * A private HTTP cache (RFC 9111) over the blob store: answers with status 200 to GET, honouring Cache-Control, Vary
 * and validators.
 */
export class HttpCache {
  readonly #blobs: BlobStore;
  readonly #ports: ToolPorts;

  constructor(blobs: BlobStore, ports: ToolPorts) {
    this.#blobs = blobs;
    this.#ports = ports;
  }

  async get(url: string, headers: Readonly<Record<string, string>>): Promise<CachedAnswer | undefined> {
    const blob = await this.#blobs.get(keyOf(url, headers));
    if (!blob) return undefined;
    const { status, storedMs, freshUntilMs, isPrivate, headers: stored } = blob.facts;
    if (
      typeof status !== 'number' ||
      typeof storedMs !== 'number' ||
      typeof freshUntilMs !== 'number' ||
      !isStrings(stored)
    )
      return undefined;
    // What came from a private host is given out only as long as the user allows that host.
    if (isPrivate === true && !this.#allowed(url)) return undefined;
    return { response: { url, status, headers: stored, body: blob.body }, storedMs, freshUntilMs };
  }

  /** Whether the stored answer can be used without asking the server. */
  isUsable(cached: CachedAnswer, continuing: boolean): boolean {
    const now = this.#ports.clock.now();
    if (cached.storedMs > now) return false;
    return now < cached.freshUntilMs || (continuing && now - cached.storedMs < continuationMs);
  }

  async store(url: string, headers: Readonly<Record<string, string>>, response: HttpResponse): Promise<void> {
    const control = directives(response.headers['cache-control']);
    const vary = response.headers['vary'] ?? '';
    const storable =
      response.status === 200 &&
      response.cut === undefined &&
      !control.has('no-store') &&
      !vary.includes('*') &&
      headers['range'] === undefined;
    if (!storable) return this.#blobs.delete(keyOf(url, headers));
    const storedMs = this.#ports.clock.now();
    const isPrivate =
      response.viaProxy !== true && (response.peerAddress === undefined || !judgeAddress(response.peerAddress).public);
    const facts: JsonObject = {
      status: response.status,
      storedMs,
      freshUntilMs: storedMs + lifetimeMs(response.headers, control, storedMs),
      isPrivate,
      headers: { ...response.headers },
    };
    await this.#blobs.set(keyOf(url, headers), { facts, body: response.body });
  }

  #allowed(url: string): boolean {
    const { hostname, port, protocol } = new URL(url);
    const hosts = this.#ports.settings.get('network.allowedPrivateHosts');
    return isAllowedPrivateHost(hosts, hostname, port || (protocol === 'https:' ? 443 : 80));
  }
}

/**
 * The request headers that choose between forms of a page are part of the key, which covers every `Vary` over what a
 * model can set.
 */
function keyOf(url: string, headers: Readonly<Record<string, string>>): string {
  return JSON.stringify([
    'GET',
    url,
    headers['accept'] ?? '',
    headers['accept-language'] ?? '',
    headers['user-agent'] ?? '',
    headers['referer'] ?? '',
  ]);
}

function directives(header: string | undefined): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const part of (header ?? '').toLowerCase().split(',')) {
    const [name = '', value = ''] = part.trim().split('=', 2);
    if (name !== '') found.set(name.trim(), value.replaceAll('"', '').trim());
  }
  return found;
}

function lifetimeMs(
  headers: Readonly<Record<string, string>>,
  control: ReadonlyMap<string, string>,
  now: number,
): number {
  if (control.has('no-cache')) return 0;
  const age = Number(headers['age'] ?? 0) || 0;
  const maxAge = control.get('max-age');
  if (maxAge !== undefined) return Math.max(0, (Number(maxAge) || 0) - age) * 1_000;
  const served = Date.parse(headers['date'] ?? '') || now;
  if (headers['expires'] !== undefined) return Math.max(0, (Date.parse(headers['expires']) || 0) - served);
  const modified = Date.parse(headers['last-modified'] ?? '');
  return Number.isNaN(modified) ? 0 : Math.min(maxHeuristicMs, Math.max(0, (served - modified) / 10));
}

const isStrings = (value: unknown): value is Readonly<Record<string, string>> =>
  isObject(value) && Object.values(value).every((one) => typeof one === 'string');
