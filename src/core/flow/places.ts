import { remembering } from '../base/maps';
import { checkPathPattern } from '../base/pathGlob';
import { starPattern } from '../base/starPattern';
import { hostGlob } from '../hosts/hostGlob';
import { networkPlace } from '../hosts/networkPlace';
import { rememberedPathKeys } from '../policy/rules/pathKey';
import { asCalledHere, nowhere, type Places } from '../policy/rules/placedPatterns';
import { broadPathTest } from '../policy/rules/pathRule';
import { anywhere } from '../policy/rules/presetPaths';
import { isSecretFile, listTest, type PathTest, secretFiles } from '../policy/rules/secretFiles';

/** What the user says about places. Globs of paths and hosts. */
export interface FlowSettings {
  readonly privatePaths: readonly string[];
  readonly publicPaths: readonly string[];
  /** Hosts, mail addresses (`*@example.com`) and MCP servers (`mcp:name`) to which private data may go. */
  readonly trustedHosts: readonly string[];
}

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

const ours = [...secretFiles, ...installed];

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
  readonly #isAnyOfOurs = this.#remembering(listTest(ours));
  readonly #isSecret = this.#remembering(isSecretFile);
  readonly #isPrivate: (path: string) => boolean;
  readonly #isInstalled = this.#remembering(listTest(installed));
  readonly #isInPublicFolder = this.#remembering(listTest(publicFolders));
  readonly #isCalledPublic: (path: string) => boolean;
  readonly #settings: FlowSettings;

  /** @param here where the places lie that the settings may name in several ways. */
  constructor(settings: FlowSettings, here: Places = nowhere) {
    this.#settings = settings;
    this.#isPrivate = this.#remembering(named(settings.privatePaths, here));
    this.#isCalledPublic = this.#remembering(named(settings.publicPaths, here));
  }

  /** True where no label can come from a path; secrets and packages in one test, because a walk meets every file. */
  isPlain(path: string): boolean {
    return !this.isOutside(path) && !this.#isAnyOfOurs(path) && !this.isChosen(path);
  }

  isSecret(path: string): boolean {
    return this.#isSecret(path);
  }

  isChosen(path: string): boolean {
    return this.#settings.privatePaths.length > 0 && this.#isPrivate(path);
  }

  isInstalled(path: string): boolean {
    return this.#isInstalled(path);
  }

  isPublic(path: string): boolean {
    // A share of another machine.
    return /^\/\/[^/?.]/.test(plainPath(path)) || this.#isInPublicFolder(path) || this.#isCalledPublic(path);
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

  /** Each call asks twice of its paths, and agents come back to the same ones. */
  #remembering(test: PathTest): (path: string) => boolean {
    return remembering(mostRemembered, (path) => test(this.#keysOf(path)));
  }
}

/** What cannot be read means everything. */
const named = (patterns: readonly string[], here: Places): PathTest =>
  listTest(patterns, (given) => {
    try {
      for (const one of given) checkPathPattern(one);
      return broadPathTest(asCalledHere(given, here));
    } catch {
      return () => true;
    }
  });
