import { worded } from '../../../src/core/base/sentence';
import { strict as assert } from 'node:assert';
import fc from 'fast-check';
import { expandBraces } from '../../../src/core/base/braces';
import { pathGlob } from '../../../src/core/base/pathGlob';
import { CompiledRule } from '../../../src/core/policy/rules/compile';
import { PolicyEngine } from '../../../src/core/policy/rules/engine';
import { pathKeys } from '../../../src/core/policy/rules/pathKey';
import { pathLookup } from '../../../src/core/policy/rules/pathLookup';
import { buildPaths, governingPaths, pipelinePaths, secretPaths } from '../../../src/core/policy/rules/presetPaths';
import { presetBoundaries, presetNames } from '../../../src/core/policy/rules/presets';
import { runs } from '../../support/counts';
import { fakeCall } from '../../support/gateCall';
import type { Effect } from '../../../src/core/vocabulary/decision';

const engines = presetNames.map((name) => new PolicyEngine(presetBoundaries(name)));

/** What strict, balanced and open say of a path, by their first letters. */
function verdicts(effect: string, resource: string): string {
  return engines.map((policy) => judge(policy, effect, resource)[0]).join('');
}

function judge(policy: PolicyEngine, effect: string, resource: string): Effect {
  const call = fakeCall({ accesses: [{ effect, resource }] });
  return policy.judge(call, call.accesses).effect;
}

it('S4.boundaries: every pattern of a shipped rule can be read; the start believes it', () => {
  for (const name of presetNames)
    for (const adminApproval of ['never', 'critical', 'high'] as const)
      for (const boundary of presetBoundaries(name, { adminApproval })) {
        // As a rule of the user's it is looked at whole.
        for (const scope of ['builtin', 'user'] as const) {
          const rule = new CompiledRule({ ...boundary, scope }, undefined);
          rule.prepare();
          assert.deepEqual(rule.boundary.faults, undefined, `${name} ${boundary.id}`);
          assert.deepEqual(Object.keys(rule.match), Object.keys(boundary.match), boundary.id);
        }
      }
});

const words = (text: string): readonly string[] => text.trim().split(/\s*\n\s*/);

const secrets = words(`
  .env
  .env.local
  .env.production
  .ENV
  apps/web/.Env.Local
  config.env
  prod.env.bak
  .envrc
  ..env.swp
  .dev.vars
  worker/.dev.vars.staging
  server.pem
  certs/tls.key
  TLS.KEY
  tls.key.orig
  tls.key~
  a.pem.old
  a.pem.bak2
  cert.p12
  cert.pfx
  release.jks
  upload.keystore
  upload.keystore.backup
  vault.kdbx
  putty.ppk
  AuthKey_X.p8
  id_rsa
  id_rsa.bak
  id_rsa~
  id_rsa.old
  id_rsa_work
  id_ed25519-github
  id_ed25519.copy
  .ssh/config
  home/.ssh/authorized_keys
  .ssh/rc
  .ssh
  .gnupg/secring.gpg
  .password-store/mail.gpg
  .aws/credentials
  .aws/config
  .azure/accessTokens.json
  .config/gcloud/application_default_credentials.json
  application_default_credentials.json
  my-service-account.json
  app-firebase-adminsdk-x1.json
  client_secret_1.json
  .boto
  .s3cfg
  local.settings.json
  .kube/config
  kubeconfig
  kubeconfig.yaml
  deploy/prod.kubeconfig
  .docker/config.json
  terraform.tfstate
  terraform.tfstate.backup
  infra/terraform.tfstate.bak
  terraform.tfstate.1700000000.backup
  prod.tfvars
  prod.tfvars.json
  secrets.auto.tfvars
  prod.tfvars.bak
  .terraformrc
  .vault_pass
  vault-password.txt
  .npmrc
  packages/a/.npmrc
  .pypirc
  .netrc
  _netrc
  .git-credentials
  .vault-token
  .config/gh/hosts.yml
  .config/hub
  .codex/auth.json
  .m2/settings.xml
  .gradle/gradle.properties
  .pgpass
  .my.cnf
  .htpasswd
  wp-config.php
  credentials.json
  credentials.json.bak
  credentials
  secrets.yaml
  secrets.yml
  .streamlit/secrets.toml
  config/master.key
  client.ovpn
  wireguard/wg0.conf
  wg0.conf
  .bash_history
  .zsh_history
  .python_history
  .psql_history
  .mysql_history
  .node_repl_history
  .lesshst
  fish/fish_history
  PSReadLine/ConsoleHost_history.txt
  .viminfo
  Default/Login Data
  Profile 1/Cookies
  key4.db
  logins.json
  wallet.dat
  .config/helm/registry/config.json
  .config/ngrok/ngrok.yml
  ngrok.yml
  .cloudflared/abc.json
  .wrangler/config/default.toml
  .local/share/com.vercel.cli/auth.json
  .railway/config.json
  .supabase/access-token
  .config/argocd/config
  .ivy2/.credentials
  .sbt/.credentials
  .config/pypoetry/auth.toml
  .cache/huggingface/stored_tokens
  .local/share/opencode/auth.json
  .authinfo
  .msmtprc
  .subversion/auth/svn.simple/x
  krb5cc_1000
  rootfs/etc/shadow
  etc/ssl/private/x
  AppData/Roaming/Microsoft/Credentials/AB
  AppData/Roaming/Microsoft/Protect/S-1/x
  AppData/Local/Google/Chrome/User Data/Local State
  Library/Application Support/com.apple.TCC/TCC.db
  unattend.xml
  state.vscdb
  .config/solana/id.json
  .ethereum/keystore/UTC--x
  k3s.yaml
  talosconfig
  .chef/knife.rb
  .dbt/profiles.yml
  dataSources.local.xml
  keystore.properties
  .sentryclirc
  .clasprc.json
  .act.secrets
  .kamal/secrets
  passwords.txt
  ssh_host_ed25519_key
  cwallet.sso
  msal_token_cache.json
  .Xauthority
  .local/share/atuin/key
`);

const governing = words(`
  .git
  .git/config
  .git/hooks/pre-commit
  vendor/lib.git/config
  .gitmodules
  src/.gitattributes
  .gitconfig
  .config/git/config
  .githooks/pre-push
  .husky/pre-commit
  .hg/hgrc
  .vscode
  .vscode/settings.json
  .vscode/tasks.json
  packages/a/.vscode/launch.json
  .idea/workspace.xml
  .zed/settings.json
  .fleet/run.json
  .vs/launch.vs.json
  app.code-workspace
  .devcontainer/devcontainer.json
  .devcontainer.json
  .devcontainer/Dockerfile
  app.sublime-project
  .nvim.lua
  .exrc
  .vimrc
  .nvimrc
  .emacs
  .dir-locals.el
  src/.dir-locals.el
  .helix/languages.toml
  .gitpod.yml
  CLAUDE.md
  CLAUDE.local.md
  docs/CLAUDE.md
  .claude/settings.json
  .claude/hooks/run.sh
  .claude.json
  .clinerules
  .clinerules/01-rules.md
  .cursor/rules/a.mdc
  .cursor/mcp.json
  .cursorrules
  .windsurf/rules/a.md
  .windsurfrules
  .codex/config.toml
  .gemini/settings.json
  GEMINI.md
  AGENTS.md
  packages/a/AGENTS.md
  agents.md
  AGENT.md
  AGENTS.override.md
  .github/copilot-instructions.md
  .github/instructions/a.instructions.md
  .github/prompts/a.prompt.md
  .github/agents/a.agent.md
  .github/chatmodes/a.chatmode.md
  .github/hooks/a.json
  .roo/rules/a.md
  .roomodes
  .roorules
  .kilocode/rules/a.md
  .kilocodemodes
  .aider.conf.yml
  .continue/config.yaml
  .amazonq/rules/a.md
  .kiro/steering/a.md
  .junie/guidelines.md
  .goosehints
  .opencode/agent/a.md
  opencode.json
  .qwen/settings.json
  QWEN.md
  .trae/rules/a.md
  .augment-guidelines
  .mcp.json
  mcp.json
  skills/deploy/SKILL.md
  hooks/hooks.json
  .bashrc
  .zshrc
  .profile
  .zshenv
  .bash_profile
  .config/fish/config.fish
  .inputrc
  Microsoft.PowerShell_profile.ps1
  profile.ps1
  sitecustomize.py
  usercustomize.py
  lib/evil.pth
  .config/autostart/x.desktop
  Library/LaunchAgents/x.plist
  .config/systemd/user/x.service
  AppData/Roaming/Microsoft/Windows/Start Menu/Programs/Startup/x.bat
  crontab
  .xinitrc
  .xprofile
  .pam_environment
  .pdbrc
  .ghci
  public/.htaccess
  .user.ini
  .forward
  CRUSH.md
  .zencoder/rules/x
  .rovodev/config.yml
  firebender.json
  .specify/memory/constitution.md
  .taskmaster/config.json
  .coderabbit.yaml
  .pr_agent.toml
  .devin/x
  .warp/x
  .antigravity/rules
  .ai/rules.md
  .mcp/x
  .vscode-insiders/settings.json
  .spacemacs
  .doom.d/config.el
  .nanorc
  .config/kitty/kitty.conf
  .wezterm.lua
  .config/starship.toml
  .config/river/init
  .config/lxsession/LXDE/autostart
  .fluxbox/startup
  .hammerspoon/init.lua
  .yabairc
  Library/Services/x.workflow
  AppData/Roaming/Microsoft/Word/STARTUP/x.dotm
  AppData/Roaming/Microsoft/Excel/XLSTART/x.xlam
  Documents/PowerShell/Modules/x/x.psm1
  .wslconfig
  rootfs/etc/profile.d/x.sh
  etc/pam.d/sudo
  etc/passwd
  var/spool/cron/crontabs/x
  .gdbearlyinit
  .bash_completion
  .zimrc
  .p10k.zsh
  .git-hooks/pre-commit
  .git-templates/hooks/x
  .gitconfig-work
  .config/jj/config.toml
  _darcs/prefs/defaults
  .perldb
  .tclshrc
  .sbclrc
  .clojure/deps.edn
  .lein/profiles.clj
  .iex.exs
  x.Rproj
`);

const pipelines = words(`
  .yarnrc
  .yarnrc.yml
  .yarn/releases/yarn-4.cjs
  .yarn/plugins/a.cjs
  .pnpmfile.cjs
  pnpm-workspace.yaml
  bunfig.toml
  pip.conf
  .bundle/config
  .cargo/config
  .cargo/config.toml
  rust-toolchain
  rust-toolchain.toml
  gradle/wrapper/gradle-wrapper.properties
  gradle/wrapper/gradle-wrapper.jar
  init.d/a.gradle
  gradlew
  .mvn/jvm.config
  nuget.config
  NuGet.Config
  Directory.Build.props
  Directory.Build.targets
  .pre-commit-config.yaml
  .pre-commit-hooks.yaml
  lefthook.yml
  .lefthook.toml
  lefthook-local.yml
  .lintstagedrc
  .lintstagedrc.json
  .mise.toml
  mise.toml
  mise.local.toml
  .tool-versions
  .rtx.toml
  .github
  .github/workflows/ci.yml
  .github/actions/build/action.yml
  action.yml
  .github/dependabot.yml
  .gitlab-ci.yml
  .gitlab/ci/a.yml
  .circleci/config.yml
  Jenkinsfile
  Jenkinsfile.release
  azure-pipelines.yml
  .azure-pipelines/a.yml
  bitbucket-pipelines.yml
  .travis.yml
  .drone.yml
  .woodpecker.yml
  .woodpecker/a.yml
  .buildkite/pipeline.yml
  appveyor.yml
  .appveyor.yml
  .cirrus.yml
  .gitea/workflows/a.yml
  .forgejo/workflows/a.yml
  cloudbuild.yaml
  buildspec.yml
  .semaphore/semaphore.yml
  .teamcity/settings.kts
  dagger.json
  .tekton/a.yaml
  vercel.json
  netlify.toml
  fly.toml
  renovate.json
  CODEOWNERS
  poetry.toml
  pixi.toml
  pdm.toml
  hatch.toml
  cabal.project
  .cabal/config
  project/plugins.sbt
  .bazelversion
  user.bazelrc
  pants.ci.toml
  .ci/x.yml
  .drone/x.yml
  .gitlab-ci.d/x.yml
  .github/scripts/x.sh
  .changeset/config.json
  .release-it.json
  .buddy/x.yml
  codeship-steps.yml
  .bitrise.yml
  .vela.yml
  atlantis.yaml
  .trunk/trunk.yaml
  .pre-commit.yaml
  .hooks/x
  .vfox.toml
  .flox/env/manifest.toml
  devenv.yaml
  .terraform-version
  .volta/x
  .argocd/x
  nixpacks.toml
  sst.config.ts
  .platform.app.yaml
`);

const builds = words(`
  Makefile
  makefile
  MAKEFILE
  GNUmakefile
  rules.mk
  justfile
  .justfile
  Taskfile.yml
  Rakefile
  Vagrantfile
  Procfile
  CMakeLists.txt
  build.gradle
  build.gradle.kts
  settings.gradle
  pom.xml
  build.rs
  Cargo.toml
  package.json
  packages/a/package.json
  package-lock.json
  deno.json
  deno.jsonc
  composer.json
  mix.exs
  Gemfile
  go.mod
  go.work
  pyproject.toml
  setup.py
  setup.cfg
  conftest.py
  tests/conftest.py
  tox.ini
  noxfile.py
  requirements-dev.txt
  vite.config.ts
  jest.config.js
  .eslintrc.cjs
  gulpfile.js
  Dockerfile
  Dockerfile.prod
  api.Dockerfile
  Containerfile
  compose.yaml
  docker-compose.yml
  docker-compose.override.yml
  .dockerignore
  turbo.json
  nx.json
  .eslintrc.json
  .prettierrc
  .babelrc
  .pylintrc
  compile_commands.json
  nodemon.json
  cdk.json
  Guardfile
  app.service
  main.tf
  kustomization.yaml
  WORKSPACE
  buildSrc/build.gradle
  gradle/libs.versions.toml
  devspace.yaml
  .sops.yaml
  .terraform.lock.hcl
  config/deploy.yml
  template.yaml
`);

const free = words(`
  .env.example
  .env.sample
  .env.template
  .env.local.example
  apps/web/.env.example
  example.env
  .dev.vars.example
  prod.tfvars.example
  example.tfvars
  id_rsa.pub
  keys/id_ed25519.pub
  id_rsa_test.go
  src/id_token.ts
  environment.ts
  src/env.d.ts
  docs/env.md
  docs/makefile-guide.md
  src/keyboard.ts
  src/monkey.ts
  src/keys/index.ts
  src/api.keys.test.ts
  git.md
  docs/git/branches.md
  github.ts
  src/credentials.ts
  src/secrets.ts
  src/history.ts
  docs/history.md
  src/cookies/index.ts
  src/agents.ts
  docs/agents/intro.md
  src/claude.ts
  prompts.md
  src/prompt.ts
  vscode.md
  src/package.ts
  src/docker.ts
  docs/docker.md
  src/app/compose.ts
  src/justify.ts
  src/profile.ts
  src/crontab.ts
  LICENSE
  README.md
  .gitignore
  .editorconfig
  tsconfig.json
  src/index.ts
  locales/en/auth.json
  models/a.py
  docs/conventions.md
  docs/hooks.md
  src/hooks/useAuth.ts
  src/mise/en-place.ts
  src/stripe/client.ts
  src/auth/token.ts
  scripts/hotkeys.ahk
  src/vercel/project.json
  src/services/user.service.ts
  src/pages/password.tsx
  docs/etc/notes.md
  app/passwords.ts
  packages/conventions/index.ts
  src/kitty/cat.ts
  data/history.json
`);

describe('S1.policy S4.boundaries S3.file-system: presets know the files that matter', () => {
  it('S4.boundaries: the tables of this suite hold more than 250 names', () => {
    assert.ok(secrets.length + governing.length + pipelines.length + builds.length > 250);
  });

  const tables: readonly [string, readonly string[], string, string][] = [
    ['secrets are closed to reading under strict and balanced, and asked for under open', secrets, 'fs.read', 'dda'],
    ['secrets are closed to writing under strict and balanced, and asked for under open', secrets, 'fs.write', 'dda'],
    [
      'what decides and what agents are told is closed to writing under strict, and asked for elsewhere',
      governing,
      'fs.write',
      'daa',
    ],
    [
      'what decides and what agents are told is closed to deletes under strict, and asked for elsewhere',
      governing,
      'fs.delete',
      'daa',
    ],
    [
      'what runs at an install, a commit or a push is closed to writing under strict, and asked for elsewhere',
      pipelines,
      'fs.write',
      'daa',
    ],
    [
      'what runs at an install, a commit or a push is closed to deletes under strict, and asked for elsewhere',
      pipelines,
      'fs.delete',
      'daa',
    ],
    ['what runs at an install, a commit or a push may be read', pipelines, 'fs.read', 'ppp'],
    ['what a build runs is asked for under strict alone', builds, 'fs.write', 'app'],
    ['what a build runs is asked for under strict alone when it is deleted', builds, 'fs.delete', 'app'],
    ['what a build runs may be read', builds, 'fs.read', 'ppp'],
    ['examples, public keys and ordinary files are free to read', free, 'fs.read', 'ppp'],
    ['examples, public keys and ordinary files are free to write', free, 'fs.write', 'ppp'],
  ];
  for (const [title, names, effect, expected] of tables)
    it(`S1.policy: ${title}`, () => {
      const wrong = names.filter((name) => verdicts(effect, name) !== expected);
      assert.deepEqual(Object.fromEntries(wrong.map((name) => [name, verdicts(effect, name)])), {});
      // At any depth and in any case, but for the examples, which are free as they are spelled.
      if (names === free) return;
      const elsewhere = names
        .map((name) => `deep/er/${name.toUpperCase()}`)
        .filter((name) => verdicts(effect, name) !== expected);
      assert.deepEqual(Object.fromEntries(elsewhere.map((name) => [name, verdicts(effect, name)])), {});
    });

  it('S4.boundaries: whatever spelling a file system takes for the same name is judged at least as strictly', () => {
    const rank: Readonly<Record<Effect, number>> = { pass: 0, ask: 1, deny: 2 };
    const spelling = fc.constantFrom<(path: string) => string>(
      (path) => path.toUpperCase(),
      (path) => `${path}.`,
      (path) => `${path} . .`,
      (path) => `${path}::$DATA`,
      (path) => path.replaceAll('/', '\\'),
      (path) => path.replaceAll('/', '//'),
      (path) => path.replaceAll('/', '/./'),
      (path) => `a/../${path}`,
      (path) => `./${path}`,
      (path) => `../${path}`,
      (path) => path.replace('.', '.\u200c'),
      (path) => path.replaceAll('i', 'i\u200d'),
      (path) => path.replaceAll('s', 'ſ'),
      (path) => path.replaceAll('k', '\u212a'),
      (path) => path.replaceAll('fi', 'ﬁ'),
      (path) => `\u202e${path}`,
      (path) => path.normalize('NFD'),
    );
    const known = [...secrets, ...governing, ...pipelines, ...builds];
    fc.assert(
      fc.property(
        fc.constantFrom(...known),
        fc.array(spelling, { minLength: 1, maxLength: 3 }),
        fc.constantFrom('fs.read', 'fs.write', 'fs.delete'),
        (name, spellings, effect) => {
          const other = spellings.reduce((path, spell) => spell(path), name);
          for (const policy of engines)
            assert.ok(rank[judge(policy, effect, other)] >= rank[judge(policy, effect, name)], JSON.stringify(other));
        },
      ),
      { numRuns: runs(24, 1500, 10_000) },
    );
  });

  it('S4.boundaries: a short name of Windows counts as every name that it may stand for, and too many of them as a match', () => {
    for (const path of ['GITHUB~1/WORKFL~1/ci.yml', 'CLINER~1', 'YARNRC~1.YML', 'PRE-CO~1.YAM', 'AUTOST~1', 'CURSOR~1'])
      assert.notEqual(
        judge(engines[0] ?? assert.fail(), 'fs.write', `a/${path}`),
        path.startsWith('AUTOST') ? 'none' : 'pass',
        path,
      );
    const many = new PolicyEngine(presetBoundaries('balanced'));
    const path = Array.from({ length: 12 }, () => 'CREDEN~1.JSO').join('/');
    assert.equal(judge(many, 'fs.read', path), 'deny');
  });

  it('S4.boundaries: the reason that is told is that of the row, and every row has one', () => {
    const [strict] = engines;
    assert.ok(strict);
    for (const [path, reason] of [
      ['a/id_rsa.bak', 'private key'],
      ['terraform.tfstate', 'infrastructure'],
      ['.zsh_history', 'history'],
      ['AGENTS.md', 'instructions'],
      ['.husky/pre-commit', 'git runs'],
      ['.gitlab-ci.yml', 'every push'],
      ['Makefile', 'what a build runs'],
    ] as const) {
      const call = fakeCall({ accesses: [{ effect: 'fs.write', resource: path }] });
      const text = strict
        .judge(call, call.accesses)
        .reasons.map((one) => worded(one.said))
        .join('; ');
      assert.ok(text.includes(reason), `${path}: ${text}`);
    }
    for (const row of [...secretPaths, ...governingPaths, ...pipelinePaths, ...buildPaths]) {
      assert.match(worded(row.reason), /^[a-z].{15,110}[^.]$/);
      for (const path of row.paths)
        assert.ok(expandBraces(path).length <= 256 && path === path.toLowerCase() && !path.startsWith('/'), path);
    }
  });

  it('S4.boundaries: many patterns taken together match what each of them matches', () => {
    const name = fc.constantFrom(
      'a',
      'b',
      '.env',
      '.env.x',
      'x.pem',
      'x.pem.bak',
      'git',
      '.git',
      'a-b',
      'aab',
      '.x_history',
      'README.md',
    );
    const piece = fc.constantFrom(
      'a',
      '*',
      '.env*',
      '*.pem',
      '*.pem.bak*',
      '.git',
      'a?b',
      '*.{pem,md}',
      'a*b',
      '.*_history*',
      '{a,b}',
      'a**b',
      '**',
    );
    const pattern = fc
      .tuple(fc.array(piece, { minLength: 1, maxLength: 3 }), fc.constantFrom('', '', '/**'))
      .map(([pieces, end]) => `**/${pieces.join('/')}${end}`);
    fc.assert(
      fc.property(
        fc.array(pattern, { minLength: 1, maxLength: 4 }),
        fc.array(name, { minLength: 1, maxLength: 4 }),
        (patterns, names) => {
          const path = pathKeys(names.join('/')).keys[0] ?? '';
          const { lookup, others } = pathLookup(patterns);
          // As a rule that restricts reads it: `name/**` means `name` too.
          const all = (list: readonly string[]): boolean =>
            list
              .flatMap(expandBraces)
              .flatMap((one) => (one.endsWith('/**') && one !== '/**' ? [one, one.slice(0, -3)] : [one]))
              .some((one) => pathGlob(one).matches(path));
          assert.equal(lookup(path) || all(others), all(patterns), `${path} by ${patterns.join(' ')}`);
        },
      ),
      { numRuns: runs(25, 3000, 20_000) },
    );
  });
});
