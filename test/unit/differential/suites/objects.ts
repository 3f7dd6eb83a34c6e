import { JSON_TYPE, type Suite } from '../case.ts';
import { mutated } from '../mutate.ts';
import { named, SEEDS } from '../seeds.ts';

const VALIDATION = ['Ignore', 'Warn', 'Strict'];

/** A built-in object with up to five faults, created in a dry run. */
export const objects: Suite = (draw, id) => {
  const seed = draw.pick(SEEDS);
  const object = mutated(draw, named(seed, id), draw.between(0, 6));
  const path = `${seed.path}?dryRun=All&fieldValidation=${draw.pick(VALIDATION)}`;
  return {
    name: `create ${seed.object['kind']}`,
    steps: [{ method: 'POST', path, headers: JSON_TYPE, body: JSON.stringify(object) }],
  };
};
