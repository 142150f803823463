import { strict as assert } from 'node:assert';
import path from 'node:path';
import fc from 'fast-check';
import { PlaceLabels } from '../../../../../src/core/foreign/placeLabels';
import { accessLabel } from '../../../../../src/core/ports/accessLabel';
import type { FileSystem } from '../../../../../src/core/ports/files';
import type { WorkspaceFolder } from '../../../../../src/core/ports/workspacePath';
import { CompiledRule } from '../../../../../src/core/policy/rules/compile';
import { PolicyEngine } from '../../../../../src/core/policy/rules/engine';
import { FlowPlaces } from '../../../../../src/core/flow/places';
import { parseBoundaries } from '../../../../../src/core/policy/rules/parse';
import { asCalledHere, type Places, placesOf } from '../../../../../src/core/policy/rules/placedPatterns';
import { accessFacts } from '../../../../../src/core/policy/rules/subject';
import { runs } from '../../../../support/counts';
import { fakeCall } from '../../../../support/gateCall';
import { read } from '../../../../support/policy';

type Machine = Pick<FileSystem, 'folders' | 'machinePaths' | 'canonical' | 'realPath' | 'style' | 'caseInsensitive'>;

/** A machine without links, of which nothing is read. */
function machine(folders: readonly string[], home: string): Machine {
  const open = folders.map((one): WorkspaceFolder => ({ name: nameOf(one, folders), path: one, scheme: 'file' }));
  return {
    folders: () => open,
    machinePaths: (of) => [of === 'home' ? home : of.path],
    canonical: async (where) => where,
    realPath: async (absolute) => path.posix.normalize(absolute.replace(/^~(?=\/|$)/, home)),
    style: 'posix',
    caseInsensitive: false,
  };
}

/** The editor tells folders of one name apart. */
const nameOf = (folder: string, folders: readonly string[]): string => {
  const same = folders.filter((one) => path.posix.basename(one) === path.posix.basename(folder));
  const at = same.indexOf(folder);
  return at === 0 ? path.posix.basename(folder) : `${path.posix.basename(folder)} ${at + 1}`;
};

const rule = (pattern: string, decision = 'deny') =>
  parseBoundaries([{ id: 'r', match: { path: pattern }, decision }], 'user').value;

const name = fc.constantFrom('a', 'b', 'Secret', 'prod', 'näh', 'x+y', 'docs (old)', '.env');
const names = (minLength: number, maxLength: number) => fc.array(name, { minLength, maxLength });

/** A pattern that names no less than a path: what is below a folder, a star for a name, another case or spelling. */
const spelled = (start: string, rest: readonly string[]) =>
  fc
    .tuple(
      fc.nat(rest.length),
      fc.array(fc.constantFrom('plain', 'star', 'capitals', 'braces', 'dots'), {
        minLength: rest.length,
        maxLength: rest.length,
      }),
      fc.boolean(),
    )
    .map(([depth, ways, isFolder]) => {
      const written = rest.map((one, at) => {
        const escaped = one.replace(/[+()]/g, '\\$&');
        switch (ways[at]) {
          case 'star':
            return '*';
          case 'capitals':
            return escaped.toUpperCase();
          case 'braces':
            return `{${escaped},zz}`;
          case 'dots':
            return `./${escaped}`;
          default:
            return escaped;
        }
      });
      const kept = isFolder ? [...written.slice(0, depth), '**'] : written;
      return start + kept.join('/');
    });

const escapedPath = (text: string): string => text.replace(/[+()]/g, '\\$&');

/** A place, the folders that are open, the home, and one pattern that names the place. */
const world = fc
  .record({
    place: names(3, 6),
    others: fc.array(names(1, 3), { maxLength: 2 }),
    depths: fc.uniqueArray(fc.nat(2), { minLength: 1, maxLength: 2 }),
    isFirst: fc.boolean(),
    homeDepth: fc.nat(2),
  })
  .chain(({ place, others, depths, isFirst, homeDepth }) => {
    const absolute = (parts: readonly string[]): string => `/${parts.join('/')}`;
    const around = depths.map((depth) => absolute(place.slice(0, depth + 1)));
    const beside = others.map((one) => `/other/${one.join('/')}`);
    const folders = [...new Set(isFirst ? [...around, ...beside] : [...beside, ...around])];
    const home = absolute(place.slice(0, homeDepth + 1));
    const patterns = [
      spelled('/', place),
      spelled('~/', place.slice(homeDepth + 1)),
      ...depths.flatMap((depth) => {
        const rest = place.slice(depth + 1);
        const folder = absolute(place.slice(0, depth + 1));
        const called = escapedPath(nameOf(folder, folders));
        const last = escapedPath(place[depth] ?? '');
        return [
          spelled('', rest),
          spelled('/', rest),
          spelled('./', rest),
          spelled(`${called}/`, rest),
          spelled(`../${last}/`, rest),
        ];
      }),
    ];
    return fc.record({
      place: fc.constant(absolute(place)),
      folders: fc.constant(folders),
      home: fc.constant(home),
      pattern: fc.oneof(...patterns).filter((one) => one !== ''),
    });
  });

/** Every name that an access may have for a place: of our tools through each folder, of others as they write it. */
async function labels(place: string, files: Machine, home: string): Promise<readonly string[]> {
  const ours = files
    .folders()
    .filter((folder) => place.startsWith(`${folder.path}/`))
    .map((folder) => accessLabel({ folder, path: place.slice(folder.path.length + 1) }, files));
  const theirs = new PlaceLabels(files as FileSystem, undefined);
  const written = [place, ...(place.startsWith(`${home}/`) ? [`~${place.slice(home.length)}`] : [])];
  const each = await Promise.all(written.map((one) => theirs.of(one)));
  return [...ours, ...each.flatMap((one) => one?.at(-1) ?? [])];
}

describe('the names of a place in rules', () => {
  it('a place that is denied is denied by each pattern that names it, whatever is open', async () => {
    await fc.assert(
      fc.asyncProperty(world, async ({ place, folders, home, pattern }) => {
        const files = machine(folders, home);
        const policy = new PolicyEngine(rule(pattern), undefined, placesOf(files));
        const flow = new FlowPlaces({ privatePaths: [pattern], publicPaths: [], trustedHosts: [] }, placesOf(files)());
        const any = fakeCall({ accesses: [read('any')] });
        try {
          for (const label of await labels(place, files, home)) {
            const call = fakeCall({ accesses: [read(label)] });
            assert.equal(policy.judge(call, call.accesses).effect, 'deny', `${pattern} for ${label}`);
            // What passes the screen is judged as any other path is.
            if (policy.screen(call, 'fs.read')?.(label))
              assert.equal(policy.judge(any, any.accesses).effect, 'deny', `the screen of ${pattern} for ${label}`);
            assert.equal(policy.rules()[0]?.boundary.faults, undefined);
            assert.equal(flow.isChosen(label), true, `private by ${pattern}: ${label}`);
          }
        } finally {
          policy.dispose();
        }
      }),
      { numRuns: runs(200, 1000, 50_000) },
    );
  });

  it('what allows is the same wherever the folders lie', async () => {
    await fc.assert(
      fc.asyncProperty(world, async ({ place, folders, home, pattern }) => {
        const files = machine(folders, home);
        const [boundary] = rule(pattern, 'allow');
        assert.ok(boundary);
        const [plain, placed] = [
          new CompiledRule(boundary, undefined),
          new CompiledRule(boundary, undefined, placesOf(files)()),
        ];
        for (const label of await labels(place, files, home)) {
          const facts = accessFacts(read(label));
          assert.equal(placed.matchesAccess(facts), plain.matchesAccess(facts), `${pattern} for ${label}`);
        }
      }),
      { numRuns: runs(100, 500, 5000) },
    );
  });

  const one: Places = {
    folders: [{ name: 'prod', paths: ['/srv/prod', '/mnt/disk'] }],
    homes: ['/home/u'],
    isNested: false,
  };
  const two: Places = { ...one, folders: [...one.folders, { name: 'two', paths: ['/srv/two'] }] };
  const windows: Places = {
    folders: [{ name: 'prod', paths: ['c:\\Work\\prod'] }],
    homes: ['C:\\Users\\u'],
    isNested: false,
  };
  const cases: readonly (readonly [pattern: string, places: Places, more: readonly string[]])[] = [
    ['src/**', one, []],
    ['**/.env', two, []],
    ['src/**', two, ['prod/src/**', 'two/src/**']],
    ['/srv/prod/src/**', one, ['src/**']],
    ['/srv/prod/src/**', two, ['prod/src/**', 'prod/srv/prod/src/**', 'two/srv/prod/src/**']],
    ['/mnt/*/src/**', one, ['src/**']],
    ['/srv/**/a', one, ['**/a']],
    ['/srv/**', one, ['**']],
    ['/srv/other/**', one, []],
    ['*/a', one, []],
    ['pr?d/a', one, ['a']],
    ['~/a/**', one, ['/home/u/a/**']],
    ['/home/u/a/**', one, ['~/a/**']],
    ['~', one, ['/home/u']],
    ['C:\\Work\\prod\\src\\**', windows, ['C:/Work/prod/src/**', 'src/**']],
    ['c:/WORK/prod/src/**', windows, ['src/**']],
    ['~\\a\\**', windows, ['C:/Users/u/a/**', '~/a/**']],
  ];
  for (const [pattern, places, more] of cases) {
    const open = places.folders.map(({ paths }) => paths[0]).join(' and ');
    it(`\`${pattern}\` with ${open} open means ${more.join(', ') || 'itself'}`, () => {
      const found = asCalledHere([pattern], places).filter((text) => text !== pattern);
      assert.deepEqual([...found].sort(), [...more].sort());
    });
  }

  it('the path of the only folder by itself means the folder and nothing in it', () => {
    for (const pattern of ['/srv/prod', 'prod', '~']) {
      const [boundary] = rule(pattern);
      assert.ok(boundary);
      const compiled = new CompiledRule(boundary, undefined, { ...one, homes: ['/srv/prod'] });
      assert.equal(compiled.matchesAccess(accessFacts(read('.'))), true, pattern);
      assert.equal(compiled.matchesAccess(accessFacts(read('src/a'))), false, pattern);
    }
  });

  it('a folder that is added later, or found to lie elsewhere, counts from the next call', () => {
    const folders: WorkspaceFolder[] = [{ name: 'prod', path: '/srv/prod', scheme: 'file' }];
    let real: readonly string[] = [];
    const places = placesOf({
      folders: () => folders,
      machinePaths: (of) => (of === 'home' ? [] : [of.path, ...real]),
    });
    const policy = new PolicyEngine(rule('/mnt/disk/secret/**'), undefined, places);
    const effect = (label: string): string => {
      const call = fakeCall({ accesses: [read(label)] });
      return policy.judge(call, call.accesses).effect;
    };
    assert.equal(effect('secret/a'), 'pass');
    real = ['/mnt/disk'];
    assert.equal(effect('secret/a'), 'deny');
    folders.push({ name: 'two', path: '/srv/two', scheme: 'file' });
    assert.equal(effect('prod/secret/a'), 'deny');
    policy.dispose();
  });
});
