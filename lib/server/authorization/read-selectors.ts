import { defined } from '#lib/machinery/defined.ts';
import { StatusError } from '#lib/machinery/errors.ts';
import { parseFieldSelector } from '#lib/machinery/fields/selector.ts';
import { parseSelector } from '#lib/machinery/labels/selector.ts';
import type { Attributes } from './authorizer.ts';

interface SelectorTexts {
  readonly fieldSelector?: string | undefined;
  readonly labelSelector?: string | undefined;
}

/** Parses selectors for authorizers. An invalid selector is ignored and restricts nothing. */
export function readSelectors({
  fieldSelector,
  labelSelector,
}: SelectorTexts): Pick<Attributes, 'fieldSelector' | 'labelSelector'> {
  const fields = read(parseFieldSelector, fieldSelector);
  const labels = read((text) => parseSelector(text).requirements, labelSelector);
  return {
    ...defined({ fieldSelector: fields, labelSelector: labels }),
  };
}

function read<T>(parse: (text: string) => readonly T[], text = ''): readonly T[] | undefined {
  if (text === '') return undefined;
  try {
    const requirements = parse(text);
    return requirements.length === 0 ? undefined : requirements;
  } catch (error) {
    if (error instanceof StatusError) return undefined;
    throw error;
  }
}
