import { say, type Sentence } from '../../base/sentence';

/** One row of a preset's table: files that are known by their names, and why they are judged. */
export interface PresetPathRow {
  readonly reason: Sentence;
  /** Globs below any folder: a name, or a few segments; `name/**` means the folder itself too. */
  readonly paths: readonly string[];
  /** What is allowed instead, where it is something else than for the other rows. */
  readonly steer?: Sentence;
}

const row = (reason: Sentence, ...paths: readonly string[]): PresetPathRow => ({ reason, paths });

/** The endings under which editors, tools and people keep another copy of a file. */
const copies = '{,~,.*~,.bak*,.old*,.orig*,.backup*,.save*,.copy*,.sw?,.tmp,.1,.enc}';

/** Files that hold secrets by their usual names. */
export const secretPaths: readonly PresetPathRow[] = [
  {
    ...row(
      say('usual_secrets'),
      '.env*',
      `*.env${copies}`,
      '{.,#,.#}.env*',
      '.dev.vars*',
      '.flaskenv',
      '.renviron',
      '{.envs,.env.d}/**',
    ),
    steer: say('steer_example'),
  },
  row(
    say('private_key'),
    `*.{pem,key,p12,pfx,p8,jks,keystore,kdbx,kdb,ppk,gpg,pgp,keytab,agekey}${copies}`,
    `id_{rsa,dsa,ecdsa,ed25519,ed25519_sk,ecdsa_sk,xmss}${copies}`,
    'id_{rsa,dsa,ecdsa,ed25519}{_*,-*, *}',
    '*{private,secret}*.asc',
    'secring.*',
    'age/keys.txt',
    'wallet.dat',
    'ssh_host_*_key',
    '{.electrum/wallets,.ethereum/keystore,.config/solana,.step/secrets,.oracle/wallet,ssl/private}/**',
    '{cwallet.sso,embedded.mobileprovision}',
  ),
  row(
    say('key_folder'),
    '.ssh/**',
    '.gnupg/**',
    '.password-store/**',
    '.local/share/keyrings/**',
    'library/keychains/**',
    '.secrets/**',
  ),
  row(
    say('cloud_sign_in'),
    '{.aws,.azure,.oci,.aliyun,.bluemix,.snowflake,.snowsql,.fly}/**',
    '.config/{gcloud,doctl,configstore,stripe,op,rclone}/**',
    '{.boto,.s3cfg,.passwd-s3fs,.databrickscfg,rclone.conf,kaggle.json}{,~,.*}',
    'application_default_credentials.json*',
    '*{service-account,service_account,serviceaccount}*.json*',
    '*-firebase-adminsdk-*.json*',
    'client_secret*.json*',
    'local.settings.json',
    '{.chef,.talos,.k3s,.appstoreconnect,.cloudflared,.ngrok2,.scw,.mc,.dbt,.config/scw,.config/hcloud,.config/ngrok,.config/exoscale}/**',
    '.config/{linode-cli,vultr-cli,heroku,netlify,firebase,.wrangler,argocd,helm,sops,1password,bitwarden cli}{,/**}',
    '{.railway,.supabase,.wrangler/config,.kamal/secrets,.stripe,.twilio-cli}/**',
    '{ngrok.yml,ngrok.yaml,.clasprc.json,.sentryclirc,.twiliorc,.bigqueryrc,.vultr-cli.yaml,.s3curl,azureprofile.json}{,~,.*}',
    '{msal_token_cache,credentials-config,oauth_creds}*.json',
    '{com.vercel.cli/**,.vercel/auth.json}',
  ),
  row(
    say('cluster_sign_in'),
    '.kube/**',
    'kubeconfig{,~,.*,-*,_*}',
    '*.kubeconfig',
    '.docker/config.json*',
    'containers/auth.json',
    '{.dockercfg,.dockerconfigjson}{,~,.*}',
    '{k3s.yaml,talosconfig}{,~,.*}',
  ),
  row(
    say('infrastructure_state'),
    `*.{tfstate,tfvars,tfvars.json}${copies}`,
    '*.tfstate.*.backup',
    '{.terraformrc,terraform.rc,credentials.tfrc.json}{,~,.*}',
    '{.,}vault{-,_}pass*',
  ),
  row(
    say('code_host_sign_in'),
    '{.npmrc,.pypirc,.netrc,_netrc,.git-credentials,.vault-token}{,~,.*}',
    '.config/{gh,hub,glab-cli,github-copilot}/**',
    '.composer/auth.json',
    '.m2/{settings,settings-security}.xml',
    '.gradle/gradle.properties',
    '{.codex/auth,.claude/.credentials,.gemini/oauth_creds}.json',
    'huggingface/token',
    '{,.}huggingface/{token,stored_tokens}',
    '{opencode,pypoetry}/auth.{json,toml}',
    '{.subversion/auth,.config/{openai,anthropic},.openai,.anthropic,.tsh/keys}/**',
    '{.ivy2,.sbt}/.credentials',
    '{hex/hex,.hex/hex}.config',
    '{.authinfo,.esmtprc,.msmtprc,.fetchmailrc,.mbsyncrc,.offlineimaprc,.smbcredentials,.rediscli_auth,.xauthority,.iceauthority}{,~,.*}',
    '{.mutt,.config/mutt,.config/neomutt}/**',
    '{krb5cc_*,.k5identity}',
  ),
  row(
    say('database_sign_in'),
    '{.pgpass,pgpass.conf,.my.cnf,.mylogin.cnf,.htpasswd,htpasswd,.htdigest,wp-config.php,.odbc.ini,sitemanager.xml}{,~,.*}',
    'datasources.local.xml',
  ),
  row(
    say('named_credentials'),
    'credentials',
    'credentials{~,.*~,.bak*,.old*,.orig*,.backup*}',
    'credentials.{json,toml,xml,yaml,yml,csv,db,ini}{,~,.*}',
    '{.secret,.password,.passwords,passwords.txt,password.txt,.act.secrets,.pulumi/credentials.json}{,~,.*}',
    '{keystore,key,signing}.properties',
    'secrets.{json,yaml,yml,toml,ini}{,~,.*}',
  ),
  row(say('private_network_key'), `*.ovpn${copies}`, 'wireguard/**', 'wg?.conf'),
  row(
    say('typed_history'),
    '.{bash,zsh,sh,ksh,python,ipython,psql,mysql,mariadb,sqlite,node_repl,ts_node,irb,pry,rediscli,mongo,php,scala,r,duckdb}_history*',
    '.{ghci,iex,lua,julia,octave,perl,mongosh,usql,pgcli,mycli,litecli,dotnet,deno,fish}_history*',
    '{.lesshst,.histfile,.zhistory,.rhistory,.dbshell,.viminfo,fish_history,consolehost_history.txt}{,~,.*}',
    '{.bash_sessions,.zsh_sessions}/**',
    '{atuin/history.db,atuin/key,fish/fish_variables,pgcli/history,bash/history,shada/main.shada}',
  ),
  row(
    say('system_passwords'),
    'etc/{shadow,gshadow,shadow-,gshadow-}',
    'microsoft/{credentials,protect,vault}/**',
    '{ntds.dit,ntuser.dat,unattend.xml,sysprep.inf}',
    'com.apple.tcc/**',
  ),
  row(
    say('browser_sessions'),
    '{default,profile *,network}/{cookies,login data,web data}*',
    '{key3.db,key4.db,logins.json,cookies.sqlite}',
    '.mozilla/**',
    '.config/{google-chrome,chromium,microsoft-edge,bravesoftware}/**',
    'application support/{google,firefox,bravesoftware,microsoft edge}/**',
    'user data/local state',
    '{cookies.binarycookies,state.vscdb}',
  ),
];

/** Source code and notes about keys hold none, whatever they are named after. */
const sourceEndings =
  '{ts,tsx,mts,cts,js,jsx,mjs,cjs,py,go,rs,java,kt,rb,php,cs,c,cc,cpp,h,hpp,swift,scala,md,mdx,snap}';

/** What is free though a name above would close it: examples, the public halves of keys, source code. */
export const freePaths: readonly string[] = [
  '.env.{example,sample,template,dist,defaults,schema}',
  '.env.*.{example,sample,template,dist,defaults}',
  '.env.{example,sample,template}.*',
  '{example,sample,template}.env',
  '*.{example,sample,template}',
  '{example,sample,template}.tfvars',
  '*.{example,sample,template}.tfvars',
  '*.pub',
  `id_*.${sourceEndings}`,
];

/** Folders of the workspace that hold what a build, a test or a package manager made; never those of the machine. */
export const builtPaths: readonly string[] = [
  '{build,dist,out,target,coverage,.next,.nuxt,.turbo,.parcel-cache,.pytest_cache,.mypy_cache,__pycache__,.cache,tmp,node_modules}{,/**}',
  '{packages,apps,libs,services,crates,modules}/*/{build,dist,out,target,coverage,.next,.turbo,__pycache__,node_modules}{,/**}',
];

/** Files that decide what runs or what an agent is told, wherever they stand. */
export const governingPaths: readonly PresetPathRow[] = [
  row(
    say('git_runs'),
    '.git/**',
    '*.git/**',
    '{.gitmodules,.gitattributes,.gitconfig,gitconfig}',
    // With this file a folder is a repository, whose `config` beside it names programs.
    'head',
    '.config/git/**',
    '{.githooks,.husky,.hg,.svn,.jj}/**',
    '.hgrc',
    '{.git-hooks,git-hooks,githooks,.git-templates,.git_template,.gittemplates,.config/jj,.sl,.bzr,_darcs,.fossil-settings}/**',
    '{.gitconfig.local,.gitconfig-*,.jjconfig.toml,.arcconfig,.arclint}',
  ),
  row(
    say('editor_runs'),
    '{.vscode,.vscode-server,.idea,.zed,.fleet,.vs,.nova,.theia,.lapce,.helix,.settings,.devcontainer,.idx,.codesandbox}/**',
    '{*.code-workspace,*.sublime-project,*.sublime-workspace,*.sublime-build}',
    '{.devcontainer.json,devcontainer.json,.gitpod.yml,.gitpod.dockerfile,.replit,replit.nix}',
    '{.vimrc,_vimrc,.gvimrc,.nvimrc,.exrc,.lvimrc,.local.vimrc,.nvim.lua,.kakrc}',
    '{.vim,.emacs.d,.ipython,.jupyter}/**',
    '.config/{nvim,kak,helix,zed}/**',
    '{code,code - insiders,vscodium,cursor,windsurf}/user/**',
    '{.emacs,.dir-locals.el,.dir-locals-2.el,.projectile}',
    '{.vscode-insiders,.vscodium,.positron,.spyproject,.rstudio,.atom,.doom.d,.spacevim.d,.micro,.sublime,.config/{micro,lvim,doom}}/**',
    '{.spacemacs,.nanorc,.joerc,.brackets.json,*.rproj,.vscode-test.*,.tmuxp.yaml,.tmate.conf}',
  ),
  row(
    say('agent_settings'),
    '{.agents,.agent,.copilot,.continue,.amazonq,.junie,.opencode,.qwen,.trae,.factory,.crush,.tabnine,.openhands,.serena}/**',
    '{.claude,.clinerules,.cline,.cursor,.windsurf,.codeium,.roo,.kilocode,.kiro,.gemini,.codex,.goose,.aider,.augment}*/**',
    '{.mcp*.json,mcp.json,mcp.yml,mcp.yaml,mcp.toml,mcp_config.json,*mcp_settings.json,claude_desktop_config.json}',
    '{opencode,.opencode,crush,.crush,gemini-extension}.{json,jsonc}',
    '{.copilotignore,.aiignore,.aiexclude,.rules,.github/copilot-*}',
    '.github/copilot/**',
    '.config/{opencode,goose,crush,claude}/**',
    '{.rovodev,.zencoder,.firebender,.devin,.jules,.warp,.void,.pearai,.antigravity,.specify,.taskmaster,.bmad-core,.mcp,.qodo}/**',
    '{.bolt,.lovable,.v0,.prompts,.llm,.mentat,.greptile,.superdesign,.ai}/**',
    '{firebender.json,.continuerc.json,.pr_agent.toml,greptile.json,.coderabbit.{yaml,yml},{.,}sweep.yaml,ellipsis.yaml,.sourcery.yaml}',
    '{.continueignore,smithery.yaml}',
  ),
  row(
    say('agent_instructions'),
    '{agents,agent,claude,gemini,qwen,warp,skill,crush,replit}.md',
    '{agents,agent,claude,gemini,qwen,crush}.*.md',
    '*.{agent,chatmode,prompt,instructions,skill}.md',
    '*.toolsets.jsonc',
    '.github/{agents,prompts,instructions,hooks,chatmodes,skills}/**',
    'hooks/hooks.json',
  ),
  row(
    say('shell_start'),
    '{.bashrc,.bash_profile,.bash_login,.bash_logout,.bash_aliases,.profile,.aliases,.functions,.shrc}',
    '{.zshrc,.zprofile,.zshenv,.zlogin,.zlogout,.kshrc,.mkshrc,.cshrc,.tcshrc,.login,.logout,.xonshrc}',
    '{.inputrc,.editrc,.envrc,.direnvrc,.screenrc,.tmux.conf,.curlrc,.wgetrc,.ripgreprc,.gdbinit,.lldbinit}',
    '{.psqlrc,.sqliterc,.mongorc.js,.mongoshrc.js,.irbrc,.pryrc,.pythonrc,.pythonrc.py,.rprofile}',
    '{*_profile.ps1,profile.ps1}',
    '.config/{fish,nushell,powershell,xonsh,elvish,direnv,tmux,environment.d}/**',
    '{.oh-my-zsh,.bashrc.d,.zshrc.d}/**',
    '{sitecustomize.py,usercustomize.py,*.pth,.pdbrc,.pystartup,.ghci,startup.jl,.luacheckrc,.ideavimrc,.tmuxinator.yml}',
    '{.htaccess,.user.ini,php.ini}',
    '{.perldb,.perltidyrc,.proverc,.tclshrc,.octaverc,.sagerc,.maximarc,.guile,.sbclrc,.clisprc.lisp,.erlang,.iex.exs,.radare2rc,.ackrc}',
    '{.gdbearlyinit,.lldbinit-*,.bash_completion,.zimrc,.zpreztorc,.antigenrc,.p10k.zsh,.zsh_plugins.txt,.fzf.*,.cmdrc,.minttyrc}',
    '{.sage,.lein,.boot,.gdbinit.d,.zsh,.julia/config,.clojure,bash-completion/completions,windowspowershell,powershell/modules}/**',
    '{.wezterm.lua,.config/{kitty,alacritty,wezterm,ghostty,zellij,ranger,lf,nnn,mpv,starship.toml}{,/**}}',
    '{.wslconfig,wsl.conf,xlstart/**,word/startup/**}',
  ),
  row(
    say('system_start'),
    '.config/{autostart,systemd,plasma-workspace,i3,sway,hypr,awesome,bspwm,openbox}/**',
    'systemd/user/**',
    '.config/{niri,labwc,river,lxsession,waybar,sxhkd,mimeapps.list}{,/**}',
    '{.fluxbox,.icewm,.kde/autostart,.hammerspoon,dbus-1/services,library/services,library/application scripts}/**',
    '{.yabairc,.skhdrc,.aerospace.toml,.phoenix.js,.xbindkeysrc,.sxhkdrc,.xresources,.xdefaults,.xmodmaprc,.dmrc,folder.htt,.brewfile}',
    'etc/{profile.d,sudoers.d,pam.d,init.d,systemd,udev,apt,modules-load.d,ld.so.conf.d,xdg/autostart}/**',
    '{etc/{passwd,group,hosts,environment,rc.local,bash.bashrc,profile,crontab,fstab},spool/cron/**}',
    '{library/launchagents,library/launchdaemons,programs/startup,.local/share/applications,.local/bin}/**',
    '{cron.d,cron.daily,cron.hourly,cron.weekly,cron.monthly}/**',
    '{.forward,.procmailrc,.mailcap,.rhosts,.shosts,.k5login,sudoers,ld.so.preload}',
    '{crontab,.crontab,.xinitrc,.xsession,.xsessionrc,.xprofile,.pam_environment,autorun.inf,desktop.ini}',
  ),
];

/** Files by which other programs run code of their own accord: at an install, a commit, a push. */
export const pipelinePaths: readonly PresetPathRow[] = [
  row(
    say('package_source'),
    '{.yarnrc,.yarnrc.yml,.pnpmfile.cjs,.pnpmfile.mjs,.pnpmfile.js,pnpmfile.cjs,pnpm-workspace.yaml,bunfig.toml,.bunfig.toml}',
    '.yarn/{releases,plugins,sdks,patches}/**',
    '{pip.conf,pip.ini,.pydistutils.cfg,uv.toml,.condarc,.gemrc,.bazelrc,.bazeliskrc}',
    '{.bundle,.cargo,.mvn,.terraform.d,.config/pip,.config/uv,.config/go,gradle/wrapper}/**',
    '{rust-toolchain,rust-toolchain.toml,init.gradle,init.gradle.kts,gradlew,gradlew.bat,mvnw,mvnw.cmd}',
    '{nuget.config,directory.*.props,directory.*.targets,directory.build.rsp,dotnet-tools.json}',
    'init.d/*.gradle*',
    '{poetry.toml,pdm.toml,.pdm.toml,hatch.toml,.hatch.toml,pixi.toml,condarc,.bazelversion,.buckversion,.plzconfig*,.plz.toml,*.bazelrc}',
    '{.pixi,.opam,.cabal,.sbt,.proto,.lerna,.rush}/**',
    '{ivysettings.xml,project/plugins.sbt,project/build.properties,cabal.project,cabal.project.local,.bazelrc.user,pants.*.toml,.pants.rc}',
  ),
  row(
    say('commit_hook'),
    '{.pre-commit-config.yaml,.pre-commit-config.yml,.pre-commit-hooks.yaml,prek.toml,hk.pkl}',
    '{lefthook,.lefthook,lefthook-local,.lefthook-local}.{yml,yaml,toml,json}',
    '{.lefthook,.lefthook-local}/**',
    '{.hooks,.captainhook}/**',
    '{.pre-commit.yaml,.husky.json,.czrc,.cz.toml,.versionrc*}',
    '{.lintstagedrc*,lint-staged.config.*,simple-git-hooks.*,.simple-git-hooks.*,.overcommit.yml,captainhook.json,grumphp.yml}',
  ),
  row(
    say('folder_programs'),
    '{.mise.toml,mise.toml,.mise.*.toml,mise.*.toml,.rtx.toml,.tool-versions,.asdfrc}',
    '{.mise,.config/mise,.config/mise.toml,.direnv,.devbox,.devenv,.flox,.asdf,.volta,.sdkman}/**',
    '{.vfox.toml,.vfox.json,.terraform-version,.opentofu-version,.terragrunt-version,.php-version,.bun-version,.deno-version,.go-version}',
    '{.crystal-version,.jenv-version,flox.toml,devenv.yaml,.fnmrc}',
  ),
  row(
    say('push_pipeline'),
    '.github',
    '.github/{workflows,actions}/**',
    'action.{yml,yaml}',
    '{.gitlab,.circleci,.azure-pipelines,.azuredevops,.pipelines,.buildkite,.semaphore,.teamcity,.tekton,.concourse}/**',
    '{.gitea,.forgejo,.woodpecker,.dagger,.builds,.codefresh,.harness,.zuul.d,.platform,.ebextensions,.do}/**',
    '{*.gitlab-ci.yml,*.gitlab-ci.yaml,jenkinsfile*,*.jenkinsfile,azure-pipelines*.yml,azure-pipelines*.yaml}',
    '{bitbucket-pipelines,.travis,appveyor,.appveyor,.cirrus,.build,codemagic,bitrise,codefresh,wercker}.{yml,yaml}',
    '{.drone,.woodpecker}.{yml,yaml,star,jsonnet}',
    '{cloudbuild*,buildspec*,appspec,amplify,apphosting,.readthedocs,.goreleaser,.mergify,.zuul,screwdriver,heroku,render}.{yml,yaml}',
    '{dagger.json,cloudbuild.json,.cirrus.star,.space.kts,.onedev-buildspec.yml,bors.toml,.kodiak.toml,.releaserc*}',
    '{vercel.json,now.json,netlify.toml,fly.toml,wrangler.toml,wrangler.json,wrangler.jsonc,railway.json,railway.toml}',
    '{.drone,.ci,.gitlab-ci.d,.buddy,.semaphoreci,.trunk,.aviator,.mergify,.argocd,.spacelift,.kamal,.mrsk,.openshift,.s2i,.elasticbeanstalk}/**',
    '{.changeset/config.json,release-please-config.json,.release-please-manifest.json,.release-it.*,.semrelrc,.github/{settings,release,labeler}.yml}',
    '.github/scripts/**',
    '{buddy,.shippable,shippable,.scrutinizer,.vela,.hound,.styleci,.bitrise,.concourse,.sourcehut,codeship-steps,codeship-services,atlantis}.{yml,yaml}',
    '{.snyk,.semgrep,.checkov,.megalinter,.mega-linter,.gitstream,.trunk}{,.yml,.yaml,.cm}',
    '{appcenter-*.sh,sonar-project.properties,.dependabot/**,.renovate.json,.gitea-ci.yml,zeabur.json,nixpacks.toml,captain-definition,koyeb.yaml}',
    '{.platform.app.yaml,.upsun/**,.buildpacks,.ko.yaml,sst.config.*,.sst/**,.earthly/**,copilot/.workspace}',
    '{firebase.json,.firebaserc,.github/dependabot.yml,.github/dependabot.yaml,renovate.json,renovate.json5,.renovaterc*,codeowners}',
  ),
];

/** Files that run code when somebody builds, tests or deploys, and that ordinary work changes every day. */
export const buildPaths: readonly PresetPathRow[] = [
  row(
    say('build_runs'),
    '{makefile,gnumakefile,bsdmakefile,*.mk,*.mak,justfile,.justfile,*.just,taskfile.*,rakefile,*.rake,snakefile,earthfile,tiltfile}',
    '{compile_commands.json,.clangd,cmakeuserpresets.json,conanfile.py,conanfile.txt,vcpkg.json,makefile.am,autogen.sh,kconfig}',
    '{.buckconfig,buck,pants.toml,build.zig,build.zig.zon,dune-project,*.cabal,stack.yaml,setup.hs,shard.yml,pubspec.yaml,build.yaml}',
    '{guardfile,capfile,berksfile,dangerfile,dangerfile.*,cakefile,brewfile,config.ru,moon.yml,.prototools}',
    '{cmakelists.txt,cmakepresets.json,*.cmake,meson.build,sconstruct,sconscript,wscript,configure,configure.ac}',
    '{build,build.bazel,workspace.bazel,module.bazel,build.xml,pom.xml,build.sbt,build.sc,build.rs}',
    '{*.gradle,*.gradle.kts,gradle.properties,*.csproj,*.fsproj,*.vbproj,*.vcxproj,*.sln,global.json,fabfile.py,dodo.py}',
    '{gulpfile,gruntfile,jakefile}{,.*}',
    '*.xcodeproj/**',
    '{workspace,please,ivy.xml,libs.versions.toml,tools/bazel,werf.yaml,devspace.yaml,skaffold.yml,build-logic/**,buildsrc/**}',
    '{fastlane,.moon}/**',
  ),
  row(
    say('installed_and_run'),
    '{package.json,deno.json,deno.jsonc,turbo.json,nx.json,lerna.json,rush.json,composer.json,mix.exs,rebar.config}',
    '{gemfile,*.gemspec,podfile,package.swift,cargo.toml,go.mod,go.work,pipfile,pyproject.toml,setup.py,setup.cfg}',
    '{requirements*.txt,environment.yml,environment.yaml,flake.nix,shell.nix,default.nix,devenv.nix,devbox.json}',
    '{package-lock.json,npm-shrinkwrap.json,yarn.lock,pnpm-lock.yaml,bun.lock,bun.lockb,deno.lock,cargo.lock,poetry.lock,uv.lock}',
    '{gemfile.lock,composer.lock,podfile.lock,mix.lock,flake.lock,go.sum,pipfile.lock}',
    '{.nvmrc,.node-version,.python-version,.ruby-version,.java-version,.sdkmanrc}',
  ),
  row(
    say('test_runs'),
    '{conftest.py,pytest.ini,tox.ini,noxfile.py,mypy.ini,.pylintrc,pylintrc,.flake8,.coveragerc,gunicorn.conf.py,.rspec}',
    '.{eslintrc,babelrc,stylelintrc,prettierrc,postcssrc,mocharc,nycrc,swcrc,parcelrc,huskyrc,nodemonrc,bowerrc,commitlintrc}*',
    '{nodemon.json,tslint.json,karma.conf.*,wdio.conf.*,phpunit.xml,phpunit.xml.dist,phpstan.neon,rector.php,.php-cs-fixer.php}',
    '{.rubocop.yml,.sbtopts,.jvmopts,.scalafmt.conf,analysis_options.yaml}',
    '*.config.{js,cjs,mjs,ts,cts,mts}',
    '.*rc.{js,cjs,mjs,ts,cts,mts}',
  ),
  row(
    say('container_runs'),
    '{dockerfile,containerfile}{,.*}',
    '*.{dockerfile,containerfile}',
    '{docker-compose*,compose*,docker-bake*}.{yml,yaml,json,hcl}',
    '{.dockerignore,vagrantfile,procfile,procfile.*,ansible.cfg,serverless.yml,serverless.yaml}',
    '{cdk.json,pulumi.yaml,pulumi.*.yaml,samconfig.toml,terragrunt.hcl,*.pkr.hcl,garden.yml,okteto.yml,caddyfile,nginx.conf}',
    '{web.config,supervisord.conf,*.service,*.timer,ecosystem.config.*}',
    '{cdktf.json,.sops.yaml,.tflint.hcl,.terraform.lock.hcl,spacelift.yml,deploy.php,deployer.yml,shipit.rb,config/deploy.yml,*.nomad,nomad.hcl}',
    '{app.yaml,app.yml,template.yaml,template.yml,serverless.ts,.terraform/**}',
    '{chart.yaml,helmfile.yaml,kustomization.yml,kustomization.yaml,skaffold.yaml,*.tf,*.tf.json}',
  ),
];

/**
 * Installed packages: nothing of them is a pipeline or a build of this workspace, and they are deleted and made anew as
 * a whole.
 */
export const installedPaths: readonly string[] = ['{node_modules,bower_components,site-packages}/**'];

/** The same paths in every folder, as globs. */
export const anywhere = (paths: readonly string[]): readonly string[] => paths.map((path) => `**/${path}`);
