import { strict as assert } from 'node:assert';
import { CapabilityRegistry } from '../../../../src/core/registry/registry';
import { listTool } from '../../../../src/mcp/server/toolList';
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
});
