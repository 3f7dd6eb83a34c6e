import type { Library } from '../functions/library.ts';
import { type Macro, MacroError } from '../parser/macro.ts';
import { bind } from './optional.ts';

const bindMacro: Macro = {
  name: 'bind',
  receiver: true,
  argCount: 3,
  expand: (factory, target, [variable, value, body]) => {
    if (target?.kind !== 'ident' || target.name !== 'cel' || !value || !body) return undefined;
    if (variable?.kind !== 'ident')
      return new MacroError('cel.bind() variable names must be simple identifiers', variable);
    return bind(factory, variable.name, value, body);
  },
};

/** `cel.bind(name, value, body)`, which is not part of Kubernetes' environment. */
export const bindings: Library = { name: 'bindings', macros: [bindMacro] };
