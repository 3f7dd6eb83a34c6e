import type { Container, VolumeMount } from '#lib/api/types/core.v1.ts';
import type { EnvVar } from './runtime.ts';

/**
 * Replaces `$(NAME)`. `$$` is a dollar sign. A reference for which `mapping` returns undefined stays unchanged (upstream:
 * expansion.Expand).
 */
export const expand = (input: string, mapping: (name: string) => string | undefined): string =>
  input.replace(/\$(?:\$|\(([^)]*)\))/g, (reference, name: string | undefined) =>
    name === undefined ? '$' : (mapping(name) ?? reference),
  );

/** A mapping for `expand` that returns the value from the first map with the variable. */
export const mappingOf =
  (...variables: readonly ReadonlyMap<string, string>[]): ((name: string) => string | undefined) =>
  (name) =>
    variables.find((one) => one.has(name))?.get(name);

const byName = (envs: readonly EnvVar[]): ReadonlyMap<string, string> =>
  new Map(envs.map(({ name, value }) => [name, value]));

/** The command and arguments of a container with its environment's values. */
export function expandCommandAndArgs(
  { command = [], args = [] }: Pick<Container, 'command' | 'args'>,
  envs: readonly EnvVar[],
): { command: string[]; args: string[] } {
  const mapping = mappingOf(byName(envs));
  const expanded = (texts: readonly string[]): string[] => texts.map((text) => expand(text, mapping));
  return { command: expanded(command), args: expanded(args) };
}

/** The `subPathExpr` of a mount with the environment's values. Throws Error for variables without a value. */
export function expandSubPath({ subPathExpr = '' }: VolumeMount, envs: readonly EnvVar[]): string {
  const values = byName(envs);
  const missing = new Set<string>();
  const expanded = expand(subPathExpr, (name) => {
    const value = values.get(name) ?? '';
    if (value === '') missing.add(name);
    return value;
  });
  if (missing.size > 0) throw new Error(`missing value for ${[...missing].sort().join(', ')}`);
  return expanded;
}
