import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files that take more than half a minute: begun last, they would run on alone. */
const LONG = [
  'security/slow-clients',
  'cloud/deployed',
  'integration/durability',
  'e2e/kubectl/objects',
  'e2e/package',
];

const isLong = ({ moduleId }: TestSpecification): boolean => LONG.some((name) => moduleId.endsWith(`${name}.test.ts`));

/** Vitest's order, but for the longest files, which are first. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}
