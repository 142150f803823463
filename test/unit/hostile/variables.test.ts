import { worded } from '../../../src/core/base/sentence';
import { strict as assert } from 'node:assert';
import { refusedVariable, refusedVariables } from '../../../src/core/policy/rules/codeLoadingVariables';

const refused: Readonly<Record<string, string>> = {
  loads_code:
    'NODE_OPTIONS NODE_PATH NODE_REPL_EXTERNAL_MODULE NODE_COMPILE_CACHE NODE_EXTRA_CA_CERTS NODE_TLS_REJECT_UNAUTHORIZED LD_PRELOAD LD_LIBRARY_PATH ' +
    'LD_AUDIT DYLD_INSERT_LIBRARIES DYLD_FRAMEWORK_PATH GCONV_PATH GLIBC_TUNABLES PYTHONPATH PYTHONSTARTUP PYTHONHOME PYTHONBREAKPOINT PYTHONWARNINGS ' +
    'PERL5OPT PERL5LIB PERLLIB PERL5DB RUBYOPT RUBYLIB JAVA_TOOL_OPTIONS _JAVA_OPTIONS JDK_JAVA_OPTIONS CLASSPATH MY_SERVER_OPTS npm_config_script_shell ' +
    'npm_config_node_options NPM_CONFIG_REGISTRY DOTNET_STARTUP_HOOKS CORECLR_PROFILER CORECLR_PROFILER_PATH COR_ENABLE_PROFILING PHPRC PHP_INI_SCAN_DIR ' +
    'LUA_INIT LUA_INIT_5_4 R_PROFILE R_PROFILE_USER ELECTRON_RUN_AS_NODE VSCODE_INSPECTOR_OPTIONS UV_INDEX_URL PIP_INDEX_URL RUSTC_WRAPPER GOFLAGS ' +
    'GUNICORN_CMD_ARGS PYTEST_ADDOPTS PYTEST_PLUGINS COVERAGE_PROCESS_START SPRING_CONFIG_LOCATION SPRING_APPLICATION_JSON LOADER_PATH LOG4J_CONFIGURATION_FILE ' +
    'UBSAN_OPTIONS ASAN_SYMBOLIZER_PATH ORT_DYLIB_PATH SDL_DYNAMIC_API WINEDLLOVERRIDES QEMU_LD_PREFIX DEVELOPER_DIR NIX_PATH MODULEPATH FONTCONFIG_FILE ' +
    'GS_OPTIONS WSLENV _NT_SYMBOL_PATH JRUBY_OPTS LEIN_USER_PROFILES',
  runs_program:
    'BASH_ENV ENV SHELLOPTS PS4 PROMPT_COMMAND IFS ComSpec EDITOR VISUAL PAGER BROWSER MANPAGER LESSOPEN GIT_SSH_COMMAND GIT_EXTERNAL_DIFF ' +
    'GIT_EDITOR GIT_PAGER GIT_CONFIG_COUNT GIT_EXEC_PATH GIT_PROXY_COMMAND GIT_ASKPASS SSH_ASKPASS MAKEFLAGS CC TAR_OPTIONS RIPGREP_CONFIG_PATH ' +
    'AWS_CONFIG_FILE KUBECONFIG DOCKER_HOST PUPPETEER_EXECUTABLE_PATH AZURE_EXTENSION_DIR AWS_DATA_PATH KUBECTL_EXTERNAL_DIFF P4CONFIG SE_MANAGER_PATH NVIM_APPNAME',
  finds_other_files: 'PATH Path PATHEXT HOME USERPROFILE APPDATA XDG_CONFIG_HOME TMPDIR SystemRoot',
  diverts_traffic:
    'HTTP_PROXY https_proxy ALL_PROXY SSL_CERT_FILE SSL_CERT_DIR OPENSSL_CONF SSLKEYLOGFILE REQUESTS_CA_BUNDLE HOSTALIASES NETRC DBUS_SESSION_BUS_ADDRESS',
};

const honest =
  'GITHUB_TOKEN API_KEY DEBUG LOG_LEVEL NODE_ENV PORT DATABASE_URL NPM_TOKEN SLACK_BOT_TOKEN AWS_REGION AWS_PROFILE VK_TOKEN SSH_HOST JUPYTER_URL ' +
  'JUPYTER_TOKEN TF_VAR_region GIT_AUTHOR_NAME TZ LANG NO_COLOR MEMORY_FILE_PATH RUST_LOG GOOGLE_APPLICATION_CREDENTIALS RATE MAKER ENVIRONMENT ' +
  'DJANGO_SETTINGS_MODULE FLASK_APP SPRING_PROFILES_ACTIVE AZURE_CLIENT_ID AZURE_TENANT_ID PGHOST PGPASSWORD OPENAI_BASE_URL LOADED LOG_FORMAT SENTRY_DSN';

/** The reasons by which each kind of effect is told. */
const reasons: Readonly<Record<string, RegExp>> = {
  loads_code: /^(?:loads_|runs_as_other$)/,
  runs_program: /^(?:runs_in_|runs_by_git$|reaches_machines$|names_program$|gives_|starts_browser$)/,
  finds_other_files: /^finds_/,
  diverts_traffic: /^diverts_/,
};

describe('D.approval-binding: variables that a workspace may not set', () => {
  for (const [effect, names] of Object.entries(refused))
    for (const name of names.split(' '))
      it(`D.approval-binding: \`${name}\` is refused whatever its case, with a reason`, () => {
        for (const spelling of [name, name.toLowerCase(), name.toUpperCase()]) {
          const found = refusedVariable(spelling);
          assert.deepEqual([found?.name, found?.isName], [spelling, true]);
          assert.match(found?.reason.code ?? '', reasons[effect] ?? /^$/);
          assert.match(found ? worded(found.reason) : '', /^[a-z]/);
        }
      });

  it('D.approval-binding: a name that would set another variable than it says is refused', () => {
    const tricks = [
      '',
      ' ',
      'NODE_OPTIONS=--require ./x.cjs #',
      'A=B',
      'A B',
      ' NODE_OPTIONS',
      'NODE_OPTIONS\u0000',
      'NODE\u200b_OPTIONS',
    ];
    for (const name of [...tricks, 'ＮODE_OPTIONS', 'BASH_FUNC_ls%%', '1A', 'A\nB', 'A'.repeat(200)])
      assert.equal(refusedVariable(name)?.isName, false, JSON.stringify(name));
  });

  it('D.approval-binding: what only an own program reads is not refused', () => {
    for (const name of honest.split(' ')) assert.equal(refusedVariable(name), undefined, name);
  });

  it('D.approval-binding: of many variables, the refused ones are named', () => {
    const found = refusedVariables({ API_KEY: 'x', Node_Options: 'y', LD_PRELOAD: 'z' });
    assert.deepEqual(
      found.map(({ name }) => name),
      ['Node_Options', 'LD_PRELOAD'],
    );
  });
});
