import { wordSet } from '../../base/wordSet';
import { say, type Sentence } from '../../base/sentence';
import { starPattern } from '../../base/starPattern';

/** Why what comes with a repository may not set an environment variable. */
interface RefusedVariable {
  readonly name: string;
  /** False where it is no name at all. */
  readonly isName: boolean;
  /** What it does, as the end of a sentence that starts with the variable: `makes node load other modules first`. */
  readonly reason: Sentence;
}

/**
 * What setting some variables does to a program that was approved without it, and their names in capitals, in which `*`
 * stands for anything; of a family, also those that do nothing of the kind.
 */
type Row = readonly [reason: Sentence, names: string, except?: string];

/**
 * Variables by which a program runs code that is not its own, finds other files than it is meant to, or speaks to
 * somebody else. The names of a family are refused together, because runtimes add to theirs; what is known to be
 * harmless stands behind it.
 */
const table: readonly Row[] = [
  [say('loads_libraries'), 'LD_* DYLD_* _RLD* LIBPATH SHLIB_PATH LIBRARY_PATH *_LIBRARY_PATH *_PRELOAD'],
  [say('loads_c_modules'), 'GLIBC_TUNABLES GCONV_PATH LOCPATH NLSPATH GETCONF_DIR MALLOC_*'],
  [
    say('loads_drivers'),
    '*ASAN_OPTIONS *LSAN_OPTIONS *MSAN_OPTIONS *TSAN_OPTIONS VALGRIND_* OMP_TOOL* CUDA_INJECTION* NCCL_* VK_ICD* VK_LAYER* VK_ADD* VK_DRIVER* VK_INSTANCE* VDPAU_* LIBGL_* LIBVA_* OCL_* GBM_*',
  ],
  [say('loads_plugins'), 'GTK* GIO_* GDK_* GI_* GST_* QT_* QML* GEGL_* BABL_* MAGICK_* ALSA_* SANE_* P11_* PKCS11_*'],
  [
    say('loads_node_modules'),
    'NODE_*',
    'NODE_ENV NODE_NO_WARNINGS NODE_DISABLE_COLORS NODE_DEBUG NODE_PENDING_DEPRECATION',
  ],
  [say('runs_as_other'), 'ELECTRON_* VSCODE_*'],
  [say('loads_javascript'), 'TS_NODE_* TSX_* BABEL_* DENO_* BUN_* JITI_* V8_* ESBUILD_* *_BINARY_PATH'],
  [say('loads_packages'), 'NPM_* YARN_* PNPM_* COREPACK_* NVM_* VOLTA_* ASDF_* MISE_* FNM_*', 'NPM_TOKEN'],
  [say('loads_python'), 'PYTHON* __PYVENV*'],
  [
    say('loads_python_tools'),
    'PIP_* PIPX_* UV_* POETRY_* PDM_* CONDA_* VIRTUAL_ENV PYENV_* PIPENV_* IPYTHONDIR JUPYTER_CONFIG* JUPYTER_PATH JUPYTER_DATA_DIR MPLBACKEND MATPLOTLIBRC',
  ],
  [say('loads_perl'), 'PERL*'],
  [say('loads_ruby'), 'RUBY* GEM_HOME GEM_PATH GEMRC BUNDLE_* BUNDLER_* RBENV_* RAKE*'],
  [
    say('loads_java'),
    'JAVA_* _JAVA_* JDK_* JRE_* CLASSPATH *_JAVA_OPTIONS *_JAVA_OPTS MAVEN_* M2_* GRADLE_* ANT_OPTS ANT_ARGS ANT_HOME SBT_* KOTLIN_* CATALINA_* JVM_* *_OPTS',
  ],
  [
    say('loads_dotnet'),
    'DOTNET_* COMPLUS_* CORECLR_* COR_* MSBUILD* NUGET_* ASPNETCORE_HOSTINGSTARTUP* MONO_*',
    'DOTNET_ENVIRONMENT DOTNET_NOLOGO DOTNET_CLI_TELEMETRY_OPTOUT DOTNET_SYSTEM_GLOBALIZATION_INVARIANT',
  ],
  [
    say('loads_framework'),
    'GUNICORN_* PYTEST_ADDOPTS PYTEST_PLUGINS COVERAGE_PROCESS_* NYC_* SPRING_CONFIG_* SPRING_APPLICATION_JSON LOADER_* LOG4J_* LOGBACK_*',
  ],
  [
    say('loads_tools'),
    'UBSAN_OPTIONS *_SYMBOLIZER_PATH *_DYLIB_PATH SDL_DYNAMIC_API WINE* BOX64_* QEMU_* DEVELOPER_DIR SDKROOT TOOLCHAINS NIX_* GUIX_* MODULEPATH LMOD_* ICU_DATA FONTCONFIG_* GS_LIB GS_OPTIONS _CL_ _LINK_ WSLENV _NT_*',
  ],
  [say('loads_php'), 'PHPRC PHP_* COMPOSER*'],
  [say('loads_lua'), 'LUA_* LUAROCKS_*'],
  [say('loads_r'), 'R_* RSTUDIO_*'],
  [
    say('loads_runtime'),
    'LEIN_* CLJ_* JRUBY* JYTHON* JULIA_* TCL* TK_LIBRARY GUILE_* EMACS* ERL_* ELIXIR_* MIX_* REBAR_* GHC* STACK_ROOT STACK_YAML CABAL_* OCAML* CAML* OPAM* SWIFT_EXEC',
  ],
  [
    say('loads_go'),
    'GOFLAGS GOROOT GOPATH GOBIN GOENV GOTOOLCHAIN GOTOOLDIR GOPROXY GOSUMDB GOINSECURE GONO* GOPRIVATE GOAUTH GOVCS GOCACHEPROG GOWORK CGO_*',
  ],
  [say('loads_cargo'), 'CARGO* RUSTC* RUSTFLAGS RUSTDOC* RUSTUP_*'],
  [
    say('runs_in_build'),
    'CC CXX CPP LD AR AS NM MAKE MAKEFLAGS MAKEFILES MFLAGS GNUMAKEFLAGS CMAKE_* CFLAGS CXXFLAGS LDFLAGS COMPILER_PATH GCC_* CCACHE_* CPATH *_INCLUDE_PATH PKG_CONFIG* ACLOCAL* M4 M4PATH CONFIG_SITE CONFIG_SHELL',
  ],
  [
    say('runs_in_shell'),
    'BASH_* BASHOPTS ENV SHELLOPTS SHELL PS0 PS1 PS2 PS3 PS4 PROMPT_COMMAND IFS CDPATH FPATH ZDOTDIR INPUTRC HISTFILE MAILCHECK MAILPATH EXECIGNORE GLOBIGNORE FCEDIT FISH_* KSH_* PSMODULEPATH PSEXECUTIONPOLICYPREFERENCE COMSPEC',
  ],
  [say('finds_programs'), 'PATH PATHEXT NODEFAULTCURRENTDIRECTORYINEXEPATH __COMPAT_LAYER'],
  [
    say('finds_configuration'),
    'HOME USERPROFILE HOMEDRIVE HOMEPATH APPDATA LOCALAPPDATA PROGRAMDATA ALLUSERSPROFILE SYSTEMROOT SYSTEMDRIVE WINDIR PROGRAMFILES* COMMONPROGRAMFILES* XDG_* GNUPGHOME TMPDIR TEMP TMP',
  ],
  [
    say('runs_by_git'),
    'GIT_*',
    'GIT_AUTHOR_NAME GIT_AUTHOR_EMAIL GIT_AUTHOR_DATE GIT_COMMITTER_NAME GIT_COMMITTER_EMAIL GIT_COMMITTER_DATE GIT_TERMINAL_PROMPT GIT_TOKEN GIT_USER GIT_USERNAME GIT_PASSWORD',
  ],
  [
    say('reaches_machines'),
    'P4CONFIG P4EDITOR P4DIFF P4MERGE DIFFPROG HG HGRCPATH HGEDITOR HGMERGE SVN_SSH CVS_RSH RSH RSYNC_* SSH_AUTH_SOCK SSH_SK_* SSH_PKCS11_* *_ASKPASS GH_BROWSER GH_PATH GH_CONFIG_DIR',
  ],
  [
    say('names_program'),
    'EDITOR VISUAL PAGER BROWSER TERMINAL *_EDITOR *_PAGER MANPAGER LESS LESSOPEN LESSCLOSE LESSKEY* MANOPT EXINIT VIM VIMINIT VIMRUNTIME MYVIMRC NVIM_* SCREENRC TERMINFO* TERMCAP',
  ],
  [
    say('gives_options'),
    'RIPGREP_CONFIG_PATH FZF_* BAT_CONFIG* ACKRC GREP_OPTIONS TAR_OPTIONS TAPE ZIPOPT UNZIP* XZ_* DIRENV_* TEXMF* TEXINPUTS PSQLRC PSQL_* PGSERVICEFILE PGSYSCONFDIR MYSQL_HOME ODBC* ORACLE_HOME TNS_ADMIN WGETRC CURL_HOME',
  ],
  [
    say('gives_machine'),
    'AWS_CONFIG_FILE AWS_SHARED_CREDENTIALS_FILE KUBECONFIG KUBE_EDITOR DOCKER_* PODMAN_* CONTAINER_HOST CONTAINERS_* CLOUDSDK_* GOOGLE_EXTERNAL_ACCOUNT_* TF_CLI_* TF_PLUGIN_* TF_REATTACH_* TERRAFORM_CONFIG TERRAGRUNT_* ANSIBLE_* HELM_* AZURE_EXTENSION_* AZURE_CONFIG_DIR AWS_DATA_PATH BOTO_CONFIG BOTO_PATH KUBECTL_* PULUMI_HOME VAGRANT_* HOMEBREW_*',
  ],
  [
    say('starts_browser'),
    '*_EXECUTABLE_PATH PLAYWRIGHT_BROWSERS_PATH PLAYWRIGHT_*_HOST SE_MANAGER_PATH CHROMEDRIVER_* GECKODRIVER_* CHROME_PATH CHROME_BIN CHROME_WRAPPER CHROMIUM_FLAGS MOZ_*',
  ],
  [say('diverts_trust'), 'OPENSSL_* SSL_* SSLKEYLOGFILE *_CA_BUNDLE *_CA_CERTS KRB5* AWS_ENDPOINT_URL*'],
  [say('diverts_traffic'), '*_PROXY PROXYCHAINS_* TSOCKS_* NETRC DBUS_* HOSTALIASES LOCALDOMAIN RES_OPTIONS RESOLV_*'],
];

const families = table.map(([reason, names, except = '']) => {
  const patterns = names.split(' ').map(starPattern);
  const harmless = wordSet(except);
  return { reason, matches: (name: string) => !harmless.has(name) && patterns.some((matches) => matches(name)) };
});

/**
 * Why a workspace may not set an environment variable, undefined where it may. Capitals make no difference, as on
 * Windows; whatever is no plain name is refused, because `NODE_OPTIONS=…` as a name would set another variable than it
 * says.
 */
export function refusedVariable(name: string): RefusedVariable | undefined {
  if (!/^[A-Za-z_][A-Za-z0-9_.()-]{0,127}$/.test(name)) return { name, isName: false, reason: say('no_variable_name') };
  const upper = name.toUpperCase();
  const family = families.find((one) => one.matches(upper));
  return family && { name, isName: true, reason: family.reason };
}

/** Of some variables, those that a workspace may not set. */
export function refusedVariables(env: Readonly<Record<string, unknown>>): readonly RefusedVariable[] {
  return Object.keys(env).flatMap((name) => refusedVariable(name) ?? []);
}
