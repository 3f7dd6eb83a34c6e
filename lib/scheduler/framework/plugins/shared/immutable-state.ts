import type { StateData } from '../../cycle-state.ts';

/** State that no added or removed pod changes: attempts share it. */
export interface ImmutableState<T> extends StateData {
  readonly value: T;
}

/** Cycle state that never changes: a clone of it is itself. */
export function immutable<T>(value: T): ImmutableState<T> {
  const state: ImmutableState<T> = { value, clone: () => state };
  return state;
}
