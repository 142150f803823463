import { remembering } from '../base/bounded';
import { starPattern } from '../base/starPattern';
import { hostGlob } from '../hosts/hostGlob';
import { networkPlace } from '../hosts/networkPlace';
import { pathTest } from '../policy/rules/clauseTests';
import { rememberedPathKeys } from '../policy/rules/pathKey';
import { freePaths, secretPaths } from '../policy/rules/presetPaths';

/** What the user says about places. Globs of paths and hosts. */
export interface FlowSettings {
  readonly privatePaths: readonly string[];
  readonly publicPaths: readonly string[];
  /** Hosts, mail addresses (`*@example.com`) and MCP servers (`mcp:name`) to which private data may go. */
  readonly trustedHosts: readonly string[];
}

const anywhere = (paths: readonly string[]): readonly string[] => paths.map((path) => `**/${path}`);

/** Folders that others see as soon as something lies in them. */
const publicFolders = anywhere([
  '{public,public_html,htdocs,wwwroot,_site,gh-pages}/**',
  'var/www/**',
  '{Dropbox,OneDrive*,Google Drive,GoogleDrive,My Drive,Nextcloud,iCloud*,CloudStorage,Mobile Documents}/**',
  'Public/**',
]);

/** What package managers put there, which strangers wrote. */
const installed = anywhere([
  '{node_modules,bower_components,site-packages,dist-packages,vendor}/**',
  '.cargo/registry/**',
  'go/pkg/mod/**',
  '.m2/repository/**',
  '.gem/**',
  'Downloads/**',
]);

/** Outside the workspace, what the system brings and what is thrown away. */
const impersonal = [
  /^\/(?:(?:private\/)?(?:tmp|var\/tmp|var\/folders)|usr|opt|lib\d*|s?bin|nix|dev|proc\/(?:cpu|mem)info|System|Library\/Developer)(?:\/|$)/,
  /^[a-z]:\/(?:windows|program files(?: \(x86\))?|users\/[^/]+\/appdata\/local\/temp)(?:\/|$)/i,
];

/** With the slashes of all systems, and without the prefix by which Windows takes long paths: `\\?\C:\…`. */
const plainPath = (path: string): string =>
  path.replaceAll('\\', '/').replace(/^\/\/[?.]\/(?:UNC\/|(?=[a-z]:))/i, (prefix) => (/unc/i.test(prefix) ? '//' : ''));

const mostRemembered = 1000;

/** Tells what kind of place a path or a host is. Patterns that cannot be read mean everything where they guard. */
export class FlowPlaces {
  readonly #keysOf = rememberedPathKeys();
  readonly #tests = new Map<string, (path: string) => boolean>();
  readonly #settings: FlowSettings;

  constructor(settings: FlowSettings) {
    this.#settings = settings;
  }

  /** True where no label can come from a path: one test instead of three, because a walk meets every file. */
  isPlain(path: string): boolean {
    const any = (): readonly string[] => [
      ...anywhere(secretPaths.flatMap(({ paths }) => paths)),
      ...this.#settings.privatePaths,
      ...installed,
    ];
    return !this.isOutside(path) && !this.#is('any', any, path);
  }

  isSecret(path: string): boolean {
    return this.#is('secret', () => anywhere(secretPaths.flatMap(({ paths }) => paths)), path) && !this.#isFree(path);
  }

  isChosen(path: string): boolean {
    return this.#settings.privatePaths.length > 0 && this.#is('chosen', () => this.#settings.privatePaths, path);
  }

  isInstalled(path: string): boolean {
    return this.#is('installed', () => installed, path);
  }

  isPublic(path: string): boolean {
    // A share of another machine.
    if (/^\/\/[^/?.]/.test(plainPath(path))) return true;
    return this.#is('public', () => [...publicFolders, ...this.#settings.publicPaths], path);
  }

  /** True for an absolute path of the user's own, outside of every folder of the workspace. */
  isOutside(path: string): boolean {
    const plain = plainPath(path);
    if (!/^(?:\/|~|file:|[a-z]:\/)/i.test(plain)) return false;
    return /\/\.\.(?:\/|$)/.test(plain) || !impersonal.some((places) => places.test(plain));
  }

  /** True where the user named the host, the mail address or the server of a network access. */
  isNamed(resource: string): boolean {
    const { trustedHosts } = this.#settings;
    if (trustedHosts.length === 0) return false;
    if (/^mailto:|^mcp:/i.test(resource)) {
      const named = resource.replace(/^mailto:/i, '').toLowerCase();
      return named
        .split(/[,;]/)
        .every((one) => trustedHosts.some((pattern) => starPattern(pattern.toLowerCase())(one.trim())));
    }
    const place = networkPlace(resource);
    return trustedHosts.some((pattern) => {
      if (/[@]|^mcp:/.test(pattern)) return false;
      try {
        return hostGlob(pattern).matchesOnly(place);
      } catch {
        return false;
      }
    });
  }

  #isFree(path: string): boolean {
    return this.#is('free', () => anywhere(freePaths), path, true);
  }

  #is(name: string, patterns: () => readonly string[], path: string, narrow = false): boolean {
    let test = this.#tests.get(name);
    if (!test) {
      // Each call asks twice of its paths, and agents come back to the same ones.
      const asked = readTest(patterns, narrow);
      test = remembering(mostRemembered, (one) => asked(this.#keysOf(one)));
      this.#tests.set(name, test);
    }
    return test(path);
  }
}

function readTest(patterns: () => readonly string[], narrow: boolean): ReturnType<typeof pathTest> {
  try {
    return pathTest(patterns(), narrow);
  } catch {
    return () => !narrow;
  }
}
