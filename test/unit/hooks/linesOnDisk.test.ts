import { strict as assert } from 'node:assert';
import { symlinkSync } from 'node:fs';
import { callAccesses } from '../../../src/core/gate/steps';
import { hostAccesses } from '../../../src/core/hooks/hostAccesses';
import { hostToolRow } from '../../../src/core/hooks/hostToolTable';
import { PolicyEngine } from '../../../src/core/policy/rules/engine';
import { parseBoundaries } from '../../../src/core/policy/rules/parse';
import { presetBoundaries } from '../../../src/core/policy/rules/presets';
import type { Access } from '../../../src/core/vocabulary/access';
import { fakeCall } from '../../support/gateCall';
import { makeWorkspace, type TestWorkspace } from '../../support/workspace';

/** Lines of every day, which nobody is asked about. */
const passing = `
ls dist/*
rm -rf dist/*
rm -rf build/* dist/* coverage/*
rm -rf node_modules/*
chmod +x bin/*
cat logs/*
tail -n 5 logs/*.log
ls */dist/*
ls packages/*/dist/*
ls */src/*
cat */notes/*
du -sh dist/*
ls ../root/logs/*
cd src && ls ../logs/*
cd out && ls *
test -d dist && ls dist/*
ls build/* 2>/dev/null
cp -r src/* out/
cp -r src/* out/ && ls out/*
cp -r src dist && ls dist/*
mkdir -p out && cp a.txt out/ && ls out/*
mv docs manual && cat manual/*
ln -s src lib && ls lib/*
rsync -a src/ dist/ && ls dist/*
mv made out && ls out/*
cp -r made/* out/ && ls out/*
ls *
git add *
cat src/*
grep -n x *
find src -name '*.ts' -exec sed -i s/a/b/ {} +
for f in *.txt; do echo $f; done
cp a.txt out/
cp a.txt b.txt src/
cp a.txt ~/x.txt
cp a.txt a.txt.bak
cp package.json package.json.bak
cp src/*.ts docs/
cp *.png img/
cp -r src dist
cp -a src src.bak
cp -r src/ /tmp/x
cp -r packages/one packages/three
cp -r node_modules/dep vendor
mkdir -p build/x && cp -r src/sub build/x
mv a.txt c.txt
mv a.txt .
mv src lib
mv docs/img .
mv *.txt docs/
mv img.png docs/img/q.png
ln -s ../src/a.ts link
ln -s src lib
install -m 755 scripts/run.sh /usr/local/bin/run
rsync -a src/ dist/
rsync -av docs /tmp/y
scp a.txt h1:/tmp
scp h1:/tmp/log.txt .
sed -i s/a/b/ src/*.ts
chmod +x scripts/*.sh
touch src/*.ts
gzip a.txt
gzip -k a.txt
gunzip notes.txt.gz
gunzip *s.txt.gz
gunzip -c CLAUDE.md.gz | head
zcat CLAUDE.md.gz
unxz a.tar.xz
zstd -d a.txt.zst
curl -O https://a.example/x.txt
curl --output-dir out -O https://a.example/x.txt
curl -s -w '%{http_code}' -o /dev/null https://a.example
wget https://a.example/x.txt
wget -np -nv https://a.example/x.txt
wget -P out https://a.example/x.txt
aria2c -o x.txt https://a.example/x
http GET https://a.example/x
ar t a.a
`;

/** Lines about which a person is asked by what the names on the disk lead to. */
const asking = `
sed -i s/a/b/ .v*/settings.json
echo x >> .g*/config
cp a.txt .vsc*/settings.json
cp a.txt .vsc*/
find . -name settings.json -exec sed -i s/a/b/ {} +
find . -name config -exec sed -i s/a/b/ {} +
truncate -s0 .*/*.json
chmod +x .g*/hooks/*
sed -i s/a/b/ ~/.bash*
echo x >> ~/.z*
sed -i s/a/b/ /tmp/elsewhere/.v*/settings.json
cd src && sed -i s/a/b/ ../.v*/settings.json
tee .v*/settings.json
mv .v*/settings.json x.json
cp tpl/.mcp.json .
cp tpl/CLAUDE.md .
cp tpl/.bashrc ~
cp tpl/.mcp.json $PWD
cp -t . tpl/.mcp.json
cp a.txt tpl/.mcp.json src
cp tpl/.m* .
cp -r tpl/.vscode .
cp -r tpl/. .
cp -r tpl/ .
cp -rT tpl .
cp -r tpl ..
cp -r tpl/.vscode tpl/.github .
cp -r /tmp/elsewhere .vscode
cp --parents tpl/.vscode/settings.json .
mkdir -p out && cp tpl/.mcp.json out
mkdir t; echo x > t/settings.json; cp -r t .vscode
cd src && cp ../tpl/.mcp.json ..
install -m 644 tpl/.mcp.json .
mv tpl/.mcp.json .
mv tpl/.vscode .
mv a.txt .vscode
ln -s tpl/.mcp.json
ln -s tpl/.vscode .
ln -s /tmp/elsewhere .vscode
scp h1:.mcp.json .
scp -r h1:tpl .
scp 'h1:*.json' .
rsync -a tpl/.vscode .
rsync -aR tpl/./.vscode .
rsync -a h1:tpl/ .
find tpl -name '*.json' -exec cp {} . \\;
cp -r keys elsewhere
cp -r linked copy
cp a.txt links
cp -r from/. links
gunzip CLAUDE.md.gz
gunzip *.gz
gunzip -N x.gz
gunzip -r tpl
unzstd .mcp.json.zst
xz --decomp .mcp.json.xz
curl -OJ https://a.example/x
curl -O https://a.example/.mcp.json/
curl --output-dir .vscode -o settings.json https://a.example/x
curl -w '%output{.mcp.json}x' https://a.example
curl -w @a.txt https://a.example
wget -r https://a.example
wget -x https://a.example/a
wget --content-disposition https://a.example/x
wget --trust-server https://a.example/x
wget https://a.example/%2emcp.json
wget --default-page=.mcp.json https://a.example/
wget2 https://a.example/.mcp.json
aria2c https://a.example/x
http -d https://a.example/x
ar x a.a
`;

/** Folders that the line fills with what nobody judged hold anything. */
const denied = `
cp -r keys out && cat out/*
mv keys out; cat out/*
ln -s keys out && cat out/*
cp -r /tmp/elsewhere out && cat out/*
git clone https://a.example/x.git repo && cat repo/*
git checkout other -- keys2 && cat keys2/*
tar xf a.tar && cat x/*
tar xf a.tar -C x; cp -r x/y out; cat out/*
cp -r /tmp/elsewhere one; mv one two; cat two/*
unzip a.zip -d y && cat y/*
cat keys/*
cat /tmp/elsewhere/*
`;

const inPowershell = {
  passing: ['Copy-Item -Recurse src dist', 'Copy-Item a.txt docs', 'Move-Item src lib', 'ri -Recurse -Force dist/*'],
  asking: [
    'Copy-Item tpl/.mcp.json .',
    'Copy-Item tpl/.vscode . -Recurse',
    'cpi tpl/* . -r -fo',
    'Move-Item tpl/.mcp.json .',
    'sc .vsc*/settings.json x',
  ],
};

const linesOf = (text: string): readonly string[] => text.trim().split('\n');

describe('command lines of other agents, by what is on the disk', () => {
  let workspace: TestWorkspace;
  const policy = new PolicyEngine(presetBoundaries('balanced'));
  before(() => {
    workspace = makeWorkspace();
    const names = `.env .git/config .git/hooks/pre-commit .git/objects/aa/x .vscode/settings.json a.txt b.txt img.png
      package.json src/a.ts src/sub/b.ts docs/a.md docs/img/p.png packages/one/src/i.ts packages/two/index.js img/x.png
      scripts/run.sh CLAUDE.md.gz notes.txt.gz keys/id_rsa keys/a.txt node_modules/dep/index.js
      tpl/.mcp.json tpl/CLAUDE.md tpl/.bashrc tpl/x.json tpl/.vscode/settings.json tpl/.github/workflows/x.yml linked/x`;
    workspace.put(Object.fromEntries(names.split(/\s+/).map((name) => [name, 'x'])));
    workspace.put({ 'links/': '', 'from/a.txt': 'x' });
    symlinkSync('../tpl/.vscode', workspace.at('linked/.vscode'));
    symlinkSync('../tpl/.mcp.json', workspace.at('links/a.txt'));
  });
  after(() => workspace.dispose());

  async function accessesOf(command: string, tool = 'Bash'): Promise<readonly Access[]> {
    const row = hostToolRow('claude', tool);
    assert.ok(row);
    return hostAccesses({
      agent: 'claude',
      tool,
      row,
      input: { command },
      files: workspace.files,
      cwd: workspace.root,
    });
  }

  async function effectOf(command: string, tool = 'Bash', judge = policy): Promise<string> {
    const call = fakeCall({ source: { type: 'host', agent: 'claude' }, capability: 'host_claude', tool });
    const judged = callAccesses(call.tool, await accessesOf(command, tool));
    return judge.judge({ ...call, input: { command }, ...judged }, judged.accesses).effect;
  }

  for (const [effect, lines] of [
    ['pass', passing],
    ['ask', asking],
    ['deny', denied],
  ] as const)
    for (const line of linesOf(lines))
      it(`D.shell: ${JSON.stringify(line)} is ${effect}`, async () => {
        assert.equal(await effectOf(line), effect);
      });

  for (const line of inPowershell.passing)
    it(`D.shell: ${JSON.stringify(line)} passes`, async () => {
      assert.equal(await effectOf(line, 'PowerShell'), 'pass');
    });
  for (const line of inPowershell.asking)
    it(`D.shell: ${JSON.stringify(line)} asks`, async () => {
      assert.equal(await effectOf(line, 'PowerShell'), 'ask');
    });

  it('D.shell: rules that ask see each file that a wildcard finds for a change, and none that is only read', async () => {
    const { value } = parseBoundaries(
      [{ id: 'ask-docs', match: { path: 'docs/*.md' }, decision: 'require_approval', reason: 'look' }],
      'user',
    );
    const asks = new PolicyEngine(value);
    for (const line of ['sed -i s/a/b/ d*/a.md', 'rm d*/*.md', 'chmod 600 d*/*', 'cp src/a.ts d*/a.md', 'mv docs x'])
      assert.equal(await effectOf(line, 'Bash', asks), 'ask', line);
    for (const line of ['cat d*/a.md', 'ls d*', 'sed -i s/a/b/ p*/a.md', 'cp -r docs x'])
      assert.equal(await effectOf(line, 'Bash', asks), 'pass', line);
  });

  it('D.shell: what is copied and moved is named where it comes to stand, each moved file where it was too', async () => {
    const sure = async (line: string): Promise<string> =>
      (await accessesOf(line))
        .filter(({ suspected }) => suspected === undefined)
        .map(({ effect, resource }) => `${effect.slice(3)} ${resource}`)
        .join(', ');
    assert.equal(await sure('cp -r src dist'), 'read src, write dist, write dist/a.ts, write dist/sub/b.ts');
    assert.equal(
      await sure('cp -r src docs'),
      'read src, write docs, write docs/src, write docs/src/a.ts, write docs/src/sub/b.ts',
    );
    assert.equal(
      await sure('mv src lib'),
      'read src, delete src, write lib, delete src/a.ts, write lib/a.ts, delete src/sub/b.ts, write lib/sub/b.ts',
    );
    assert.equal(await sure('cp a.txt new'), 'read a.txt, write new');
    assert.equal(await sure('cp *.txt docs'), 'read *.txt, write docs, write docs/a.txt, write docs/b.txt');
  });

  it('D.shell: of a folder that is copied as much is looked at as of a pattern, what begins with a point first', async () => {
    const own = makeWorkspace();
    try {
      own.put(Object.fromEntries(Array.from({ length: 2500 }, (_, at) => [`big/f${at}`, ''])));
      own.put({ 'big/.mcp.json': '' });
      const row = hostToolRow('claude', 'Bash');
      assert.ok(row);
      const input = { command: Array.from({ length: 300 }, () => 'cp -r big/ big/* .').join('; ') };
      const found = await hostAccesses({ agent: 'claude', tool: 'Bash', row, input, files: own.files, cwd: own.root });
      assert.ok(found.some(({ effect, resource }) => effect === 'fs.write' && resource === '.mcp.json'));
      assert.ok(found.length < 15_000, String(found.length));
      // What is recorded and kept is no longer than of a line that names them.
      assert.ok(found.filter(({ suspected }) => suspected === undefined).length < 120);
    } finally {
      own.dispose();
    }
  });
});
