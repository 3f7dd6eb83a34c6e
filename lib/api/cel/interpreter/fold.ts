import { ListAccumulator, MapAccumulator } from '../values/accumulator.ts';
import { intOf } from '../values/int.ts';
import { CelError, ListValue, MapValue, type Result, type Value } from '../values/value.ts';
import type { Frame, Step } from './frame.ts';

/** The steps of a comprehension, and the slots of its variables. */
export interface FoldSteps {
  readonly range: Step;
  readonly condition: Step;
  readonly step: Step;
  readonly result: Step;
  readonly accumulator: number;
  readonly first: number;
  /** The slot of the second variable. */
  readonly second: number | undefined;
}

/** Runs a comprehension. The accumulator is initialised on first read. */
export function fold(steps: FoldSteps): Step {
  return (frame) => {
    const range = steps.range(frame);
    if (range instanceof CelError) return range;
    frame.slots[steps.accumulator] = undefined;
    if (range instanceof ListValue) foldList(frame, steps, range);
    else if (range instanceof MapValue) foldMap(frame, steps, range);
    else return new CelError('expected iterable type');
    return frozen(steps.result(frame));
  };
}

function foldList(frame: Frame, steps: FoldSteps, list: ListValue): void {
  for (let i = 0; i < list.size; i++) {
    const more =
      steps.second === undefined ? next(frame, steps, list.get(i)) : next(frame, steps, intOf(i), list.get(i));
    if (!more) return;
  }
}

function foldMap(frame: Frame, steps: FoldSteps, map: MapValue): void {
  for (const key of map.keys()) {
    if (!next(frame, steps, key, steps.second === undefined ? undefined : (map.get(key) ?? null))) return;
  }
}

function next(frame: Frame, steps: FoldSteps, first: Value, second?: Value): boolean {
  frame.slots[steps.first] = first;
  if (steps.second !== undefined) frame.slots[steps.second] = second;
  if (steps.condition(frame) === false) return false;
  frame.slots[steps.accumulator] = steps.step(frame);
  return true;
}

/** Reads the accumulator and initialises it, with an in-place accumulator for an empty list or map. */
export function readAccumulator(slot: number, start: Step, inPlace: boolean): Step {
  return (frame) => {
    const value = frame.slots[slot];
    if (value !== undefined) return value;
    const first = start(frame);
    return (frame.slots[slot] = inPlace ? growing(first) : first);
  };
}

function growing(value: Result): Result {
  if (value instanceof ListValue && value.size === 0) return new ListAccumulator();
  if (value instanceof MapValue && value.size === 0) return new MapAccumulator();
  return value;
}

function frozen(value: Result): Result {
  if (value instanceof ListAccumulator || value instanceof MapAccumulator) value.frozen = true;
  return value;
}
