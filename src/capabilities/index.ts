import { defined } from '../core/base/json';
import type { Capability } from '../core/capability/capability';
import { capabilities } from './capabilities/capabilities';
import { changes } from './changes/changes';
import { currentTime } from './currentTime/currentTime';
import { database } from './database/database';
import { email } from './email/email';
import { fileSystem } from './fileSystem/fileSystem';
import { http } from './http/http';
import { math } from './math/math';
import { noop } from './noop/noop';
import { notify } from './notify/notify';
import { research } from './research/research';
import { sandbox } from './sandbox/sandbox';
import { todoList } from './todoList/todoList';
import { weather } from './weather/weather';
import { toolTokens } from './toolTokens';
import { webFetch } from './webFetch/webFetch';

/** In the order of the tree and of the manifest. The only list of them. */
const all: readonly Capability[] = [
  fileSystem,
  webFetch,
  todoList,
  currentTime,
  math,
  capabilities,
  changes,
  http,
  database,
  email,
  notify,
  research,
  sandbox,
  weather,
  noop,
];

/** Every built-in capability, with what each of its tools costs in a request. */
export const builtinCapabilities: readonly Capability[] = all.map((capability) => ({
  ...capability,
  tools: capability.tools.map((tool) => ({
    ...tool,
    definition: { ...tool.definition, ...defined({ modelTokens: toolTokens[tool.definition.name] }) },
  })),
}));
