import type { MakeApi } from './annotated-apis.ts';
import { parseAggregatedApiDeclaration } from './declaration.ts';
import { type ApiInvoker, functionApi } from './function-api.ts';

/** Makes APIs of annotations, whose functions are called by their names. */
export const annotatedApi =
  (invoke: ApiInvoker): MakeApi =>
  async (functionName, declaration) =>
    functionApi(parseAggregatedApiDeclaration(JSON.parse(declaration)), (_, ...rest) => invoke(functionName, ...rest));
