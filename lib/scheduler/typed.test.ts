import { expect, test } from 'vitest';
import { aNodeInfo, aPodInfo } from './testing/wrappers.ts';

test('rejects a misspelled field of a pod or node at compile time', () => {
  const [{ pod }, { node }] = [aPodInfo({ nodeName: 'n' }), aNodeInfo()];
  expect(pod.spec.nodeName).toBe('n');
  // @ts-expect-error misspelt field
  expect(pod.spec.nodeNmae).toBe(undefined);
  // @ts-expect-error misspelt field
  expect(node.status.alocatable).toBe(undefined);
});
