// The names that are of private members alone: in a bundle they are as short as those of variables.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import ts from "typescript";

/** folder: where tsconfig.json is; foreign: paths of what others wrote, which is bundled too. */
export async function ownNames(folder, foreign) {
  const { config } = ts.readConfigFile(join(folder, "tsconfig.json"), ts.sys.readFile);
  const { fileNames, options } = ts.parseJsonConfigFileContent(config, ts.sys, folder);
  const source = join(folder, "src");
  const program = ts.createProgram(fileNames.filter((name) => name.startsWith(source)), options);
  const checker = program.getTypeChecker();
  const own = new Set();
  const others = new Set();
  const look = (node) => {
    if (ts.isStringLiteralLike(node)) others.add(node.text);
    else if (ts.isIdentifier(node)) {
      for (const symbol of meant(node, checker)) {
        const declarations = symbol?.declarations ?? [];
        if (declarations.length > 0 && declarations.every(isPrivate)) own.add(node.text);
        else if (declarations.length === 0 || !declarations.every(isLocal)) others.add(node.text);
      }
    }
    ts.forEachChild(node, look);
  };
  for (const file of program.getSourceFiles()) if (file.fileName.startsWith(source)) look(file);
  for (const path of foreign) for (const [word] of (await readFile(path, "utf8")).matchAll(/\w+/g)) others.add(word);
  return [...own].filter((name) => !others.has(name)).sort();
}

/** In `{ name }` a variable, and a property of what is taken apart or put together. */
function meant(node, checker) {
  const { parent } = node;
  const found = [checker.getSymbolAtLocation(node)];
  if (ts.isBindingElement(parent) && parent.name === node && parent.propertyName === undefined && ts.isObjectBindingPattern(parent.parent)) {
    found.push(checker.getTypeAtLocation(parent.parent).getProperty(node.text));
  }
  if (ts.isShorthandPropertyAssignment(parent)) found.push(undefined);
  return found;
}

function isPrivate(one) {
  return (ts.getCombinedModifierFlags(one) & ts.ModifierFlags.Private) !== 0;
}

/** What is no property. */
function isLocal(one) {
  return ts.isVariableDeclaration(one) || ts.isBindingElement(one) || (ts.isParameter(one) && !isPrivate(one)) || ts.isFunctionDeclaration(one)
    || ts.isImportSpecifier(one) || ts.isTypeAliasDeclaration(one) || ts.isInterfaceDeclaration(one) || ts.isClassDeclaration(one)
    || ts.isTypeParameterDeclaration(one);
}
