import { strict as assert } from 'node:assert';
import { CapabilityRegistry } from '../../../../src/core/registry/registry';
import { listTool } from '../../../../src/mcp/server/toolList';
import type { ToolSource } from '../../../../src/core/vocabulary/toolSource';
import { capabilityOf, definition } from '../../../support/gate';

describe('a tool as an MCP server lists it', () => {
  it('carries the words for a client that asks itself where it does more than read, and there only', () => {
    const registry = new CapabilityRegistry();
    const titled = (...sideEffects: string[]): unknown[] => {
      const registered = registry.register(capabilityOf(definition({ sideEffects, kind: 'data' })));
      const tool = registry.tool('do_thing');
      assert.ok(tool);
      const { title, annotations } = listTool(tool, (one) => `${one} (asks)`);
      registered.dispose();
      return [title, annotations.title, annotations.readOnlyHint];
    };
    assert.deepEqual(titled('fs.read'), ['Do a thing', 'Do a thing', true]);
    assert.deepEqual(titled('fs.write'), ['Do a thing (asks)', 'Do a thing (asks)', false]);
    registry.dispose();
  });

  it('D.undo: hands on no claim of others that what they do can be undone', () => {
    const registry = new CapabilityRegistry();
    const isDestructive = (source: ToolSource): boolean | undefined => {
      const acting = definition({ sideEffects: ['fs.write'], kind: 'action', reversible: true });
      const registered = registry.register(capabilityOf(acting, {}, { source }));
      const [tool] = registry.toolsOf('thing');
      const found = tool && listTool(tool).annotations.destructiveHint;
      registered.dispose();
      return found;
    };
    assert.deepEqual(
      [isDestructive({ type: 'builtin' }), isDestructive({ type: 'definition', file: '.vscode/x.json' })],
      [false, true],
    );
    registry.dispose();
  });
});
