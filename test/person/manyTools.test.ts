// @machine own
import assert from 'node:assert/strict';
import { useEditor } from '../support/editor/person';
import { until } from '../support/editor/until';

const view = 'Capabilities';
const servers = 200;
const toolsEach = 50;
/** One capability that alone has as many tools as a large company's server. */
const large = 1000;
/** Processor time in ms that the work of `slowness` takes on the machine that the limit of 100 ms was set on. */
const usualMs = 28;

/** All of them on, which is the most that the budget, the context keys and a search have to do. */
const everything = [
  ...['file_system', 'web_fetch', 'todo_list', 'current_time', 'math', 'capabilities'],
  ...Array.from({ length: servers }, (_one, index) => `office_${index}`),
  'office_rest',
];

describe('with 10,000 tools in the registry of the extension host', () => {
  const editor = useEditor({
    withoutChat: true,
    viewport: { width: 1280, height: 1000 },
    settings: { 'agentCapabilities.profiles': { default: { name: 'Default', capabilities: everything } } },
  });

  /** Registers the tools as another extension does: through the API, in the extension host. */
  async function register(): Promise<number> {
    return editor.host.evaluate(
      async (vscode, counts) => {
        const api = await vscode.extensions.getExtension('agent-capabilities.agent-capabilities')?.activate();
        const words = ['read', 'write', 'list', 'search', 'create', 'remove', 'send', 'fetch', 'plan', 'count'];
        const make = (id: string, name: string, count: number): unknown => ({
          id,
          version: '1.0.0',
          name,
          description: `What ${name} does for the office.`,
          category: 'Office',
          tools: Array.from({ length: count }, (_one, index) => ({
            name: `${words[index % words.length]}_item_${id}_${index}`,
            title: `Item ${index}`,
            kind: index % 10 === 1 ? 'action' : 'data',
            modelDescription: `Handle item ${index} of ${name}. ${'It says more about itself than anybody reads. '.repeat(8)}`,
            userDescription: `Item ${index} of ${name}`,
            inputSchema: { type: 'object', properties: { id: { type: 'string', description: 'Which one' } } },
            riskLevel: index % 10 === 1 ? 'high' : 'low',
            sideEffects: index % 10 === 1 ? ['fs.write'] : [],
            run: () => ({ done: true }),
          })),
        });
        let made = 0;
        for (let server = 0; server < counts.servers; server++) {
          const isLarge = server === counts.servers - 1;
          const count = isLarge
            ? counts.large
            : Math.round(counts.toolsEach - (counts.large - counts.toolsEach) / (counts.servers - 1));
          await api.registerCapability(
            'test.driver',
            make(`office_${server}`, isLarge ? 'Archive' : `Office ${server}`, count),
          );
          made += count;
        }
        const rest = counts.servers * counts.toolsEach - made;
        if (rest > 0) await api.registerCapability('test.driver', make('office_rest', 'Office Rest', rest));
        return (await api.listCapabilities())
          .filter((one: { id: string }) => one.id.startsWith('office_'))
          .reduce((sum: number, one: { tools: unknown[] }) => sum + one.tools.length, 0);
      },
      { servers, toolsEach, large },
    );
  }

  /**
   * Measures while `work` goes on how long our code kept the extension host's one thread busy without a break: the time
   * between two turns of a timer, or, where the machine did something else meanwhile, the processor time that the
   * thread used of it; of that the share of the profiler's samples in which something of ours was on the stack, because
   * other extensions live in the same host.
   */
  async function longestPause(work: () => Promise<void>): Promise<number> {
    await editor.host.evaluate(async () => {
      // Of Node 23 and later, in which the editor runs.
      const usage = (): NodeJS.CpuUsage =>
        (process as unknown as { threadCpuUsage(): NodeJS.CpuUsage }).threadCpuUsage();
      const session = new (process.getBuiltinModule('node:inspector/promises').Session)();
      session.connect();
      await session.post('Profiler.enable');
      await session.post('Profiler.setSamplingInterval', { interval: 1000 });
      await session.post('Profiler.start');
      const now = (): number => Number(process.hrtime.bigint() / 1000n);
      const pauses: { from: number; to: number; busyMs: number }[] = [];
      const state = { wall: now(), cpu: usage() };
      const tick = (): void => {
        const wall = now();
        const cpu = usage();
        const used = cpu.user + cpu.system - state.cpu.user - state.cpu.system;
        const busyMs = Math.min(wall - state.wall, used) / 1000;
        if (busyMs > 10) pauses.push({ from: state.wall, to: wall, busyMs });
        Object.assign(state, { wall, cpu });
      };
      Object.assign(globalThis, { pauseMeter: { pauses, session, timer: setInterval(tick, 1) } });
    });
    await work();
    return editor.host.evaluate(async () => {
      const { pauses, session, timer } = (globalThis as any).pauseMeter;
      clearInterval(timer);
      const { profile } = await session.post('Profiler.stop');
      session.disconnect();
      const ours = new Set<number>();
      const mark = new Map<number, any>(profile.nodes.map((node: any) => [node.id, node]));
      const collector = new Set<number>();
      const walk = (id: number, isOurs: boolean): void => {
        const { callFrame, children } = mark.get(id);
        const here = isOurs || /agent-capabilities\.agent-capabilities[^/]*\/dist\//.test(callFrame.url);
        if (here) ours.add(id);
        if (callFrame.functionName === '(garbage collector)') collector.add(id);
        for (const child of children ?? []) walk(child, here);
      };
      walk(profile.nodes[0].id, false);
      let at = profile.startTime;
      const samples: { at: number; isOurs: boolean }[] = [];
      profile.samples.forEach((id: number, index: number) => {
        at += profile.timeDeltas[index];
        // Collecting belongs to whom it interrupts.
        const isOurs = collector.has(id) ? (samples.at(-1)?.isOurs ?? false) : ours.has(id);
        samples.push({ at, isOurs });
      });
      const share = (from: number, to: number): number => {
        const within = samples.filter((one) => one.at > from && one.at <= to);
        return within.length === 0 ? 1 : within.filter((one) => one.isOurs).length / within.length;
      };
      return Math.max(0, ...pauses.map((one: any) => one.busyMs * share(one.from, one.to))) as number;
    });
  }

  /**
   * How many times slower this machine is than the one that the limits were set on, and at least 1: by work of the kind
   * that is measured (objects, strings and maps), by processor time, the median of several.
   */
  async function slowness(): Promise<number> {
    const ms = await editor.host.evaluate(() => {
      const usage = (): number => {
        const { user, system } = (process as unknown as { threadCpuUsage(): NodeJS.CpuUsage }).threadCpuUsage();
        return (user + system) / 1000;
      };
      const took: number[] = [];
      for (let times = 0; times < 9; times++) {
        const began = usage();
        const made = new Map<string, { id: string; words: string[] }>();
        for (let index = 0; index < 40_000; index++) {
          const id = `tool_${index % 7919}_${index}`;
          made.set(id, { id, words: id.split('_') });
        }
        const found = [...made.values()]
          .filter(({ words }) => words.includes('7'))
          .sort((a, b) => (a.id < b.id ? -1 : 1));
        if (found.length === 0) throw new Error('nothing was found');
        took.push(usage() - began);
      }
      return took.sort((a, b) => a - b)[4] ?? 0;
    });
    return Math.max(1, ms / usualMs);
  }

  /** A collection of garbage that comes just then is not there every time; what is ours is. */
  async function shortestOf(times: number, work: () => Promise<void>): Promise<number> {
    let shortest = Infinity;
    for (let time = 0; time < times && shortest > 100; time++) shortest = Math.min(shortest, await longestPause(work));
    return shortest;
  }

  it('D.tree: opens, scrolls, filters and switches without a pause over 100 ms in the extension host', async function () {
    this.timeout(240_000);
    const { workbench, page, host } = editor;
    assert.equal(await register(), servers * toolsEach);
    const slowAtFirst = await slowness();
    const pauses: Record<string, number> = {};
    pauses['opens'] = await longestPause(async () => {
      await workbench.openContainer('Agent Capabilities');
      await workbench.treeRow(view, 'File System').waitFor();
    });
    // The view says that these are too many, and offers the way out.
    await page
      .locator('.pane-body .message, .tree-explorer-viewlet-tree-view .message')
      .filter({ hasText: 'More than 128 tools' })
      .first()
      .waitFor();
    await page.locator('.pane-header [aria-label^="Choose Tools"]').first().waitFor({ state: 'attached' });
    pauses['scrolls'] = await shortestOf(3, async () => {
      await workbench.treeRow(view, 'File System').click();
      for (let times = 0; times < 40; times++) await page.keyboard.press('PageDown');
      await page.keyboard.press('End');
      await until(async () => assert.ok((await workbench.treeRow(view, 'Office').count()) > 0));
      await page.keyboard.press('Home');
      await workbench.treeRow(view, 'File System').waitFor();
    });
    pauses['filters'] = await shortestOf(3, async () => {
      await host.execute('agentCapabilities.clearFilter');
      await workbench.treeRow(view, 'File System').waitFor();
      await page.keyboard.press('Control+f');
      const input = workbench.quickInput.locator('.quick-input-box input');
      await input.waitFor();
      await page.keyboard.type('remove item archive risk:low');
      await workbench.treeRow(view, 'remove_item_office_199_5').waitFor();
      await page.keyboard.press('Enter');
    });
    await workbench.picture('tree-many-filtered');
    pauses['clears the filter'] = await longestPause(async () => {
      await host.execute('agentCapabilities.clearFilter');
      await workbench.treeRow(view, 'File System').waitFor();
    });
    pauses['switches a capability of 1,000 tools'] = await shortestOf(3, async () => {
      await host.execute('agentCapabilities.filterCapabilities', 'archive');
      await workbench.treeRow(view, 'What Archive does').waitFor();
      await host.execute('agentCapabilities.disableCapability', 'office_199');
      await until(async () => assert.equal(await workbench.isChecked(view, 'What Archive does'), false));
      await host.execute('agentCapabilities.undo');
      await until(async () => assert.equal(await workbench.isChecked(view, 'What Archive does'), true));
      // What is drawn once the person has paused belongs to this, not to what is measured next.
      await page.waitForTimeout(1500);
    });
    await workbench.picture('tree-many');
    pauses['opens that capability'] = await longestPause(async () => {
      await workbench.expand(view, 'What Archive does');
      await workbench.treeRow(view, 'read_item_office_199_0').waitFor();
    });
    pauses['switches one of its tools and undoes'] = await shortestOf(3, async () => {
      await workbench.setCheckbox(view, 'read_item_office_199_0', false);
      // So long it is measured: the open rows around are drawn anew once the person has paused for 0.8 s.
      await page.waitForTimeout(1500);
      await host.execute('agentCapabilities.undo');
      await until(async () => assert.equal(await workbench.isChecked(view, 'read_item_office_199_0'), true));
    });
    console.log(
      `      longest pauses in ms: ${JSON.stringify(pauses, (_key, value) => (typeof value === 'number' ? Math.round(value) : value))}`,
    );
    const slower = Math.max(slowAtFirst, await slowness());
    console.log(`      this machine is ${slower.toFixed(2)} times slower than the one that the limit was set on`);
    assert.deepEqual(
      Object.entries(pauses).filter(([, ms]) => ms > 100 * slower),
      [],
    );
  });

  it('S2.discovery: a search through all of them answers in under 20 ms', async () => {
    const answers = await editor.host.evaluate(async (vscode) => {
      const api = await vscode.extensions.getExtension('agent-capabilities.agent-capabilities')?.activate();
      const all: { success: boolean; durationMs: number; found: string }[] = [];
      for (const query of [
        'fetch item 7',
        'archive count',
        'plan something for the office',
        'item',
        'remove_item_office_42_5',
      ]) {
        for (let times = 0; times < 4; times++) {
          const answer = await api.invokeTool('test.driver', 'search_tools', { query });
          all.push({
            success: answer.success,
            durationMs: answer.durationMs,
            found: JSON.stringify(answer.payload ?? answer),
          });
        }
      }
      return all;
    });
    assert.ok(
      answers.every((one) => one.success),
      JSON.stringify(answers.find((one) => !one.success)),
    );
    assert.match(answers.at(-1)?.found ?? '', /remove_item_office_42_5/);
    const fastest = Math.min(...answers.slice(4).map((one) => one.durationMs));
    const slower = await slowness();
    console.log(
      `      fastest of ${answers.length} searches: ${fastest.toFixed(1)} ms, ${slower.toFixed(2)} times slower here`,
    );
    assert.ok(fastest < 20 * slower, `the fastest search took ${fastest} ms`);
  });
});
