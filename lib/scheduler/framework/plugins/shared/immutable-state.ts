import type { StateData } from '../../cycle-state.ts';

/** State that does not change with added or removed pods, so attempts share it. */
export interface ImmutableState<T> extends StateData {
  readonly value: T;
}

/** Creates cycle state that never changes. A clone is the same object. */
export function immutable<T>(value: T): ImmutableState<T> {
  const state: ImmutableState<T> = { value, clone: () => state };
  return state;
}
