/**
 * Upstream's CompareKubeAwareVersionStrings, best first: GA before beta before alpha, then the higher number. Other versions follow by
 * name.
 */
export function compareVersions(a: string, b: string): number {
  const left = rank(a);
  const right = rank(b);
  if (left === undefined || right === undefined)
    return left !== undefined ? -1 : right !== undefined ? 1 : a < b ? -1 : 1;
  for (const [i, value] of left.entries()) if (value !== right[i]) return (right[i] as number) - value;
  return 0;
}

function rank(version: string): readonly [number, number, number] | undefined {
  const match = /^v([1-9]\d*)(?:(alpha|beta)([1-9]\d*))?$/.exec(version);
  if (match === null) return undefined;
  const [, major, stage, minor] = match;
  return [stage === undefined ? 2 : stage === 'beta' ? 1 : 0, Number(major), Number(minor ?? 0)];
}
