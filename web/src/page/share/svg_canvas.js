/**
 * A canvas that writes SVG. It has the part of CanvasRenderingContext2D that the cluster's painter
 * uses; a painter that uses more fails, because the method is missing.
 */

/**
 * The state that save and restore handle.
 * @typedef {{ x: number, y: number, alpha: number }} State
 */

const ANCHORS = /** @type {Record<string, string>} */ ({ right: 'end', center: 'middle' });

export class SvgCanvas {
  fillStyle = '#000000';
  strokeStyle = '#000000';
  lineWidth = 1;
  globalAlpha = 1;
  font = '10px sans-serif';
  textAlign = 'left';
  textBaseline = 'alphabetic';
  #width;
  #height;
  #ruler;
  /** @type {string[]} */
  #elements = [];
  #path = '';
  #x = 0;
  #y = 0;
  /** @type {number[]} */
  #dashes = [];
  /** @type {State[]} */
  #saved = [];

  /**
   * @param {number} width CSS pixels
   * @param {number} height
   * @param {Pick<CanvasRenderingContext2D, 'font' | 'measureText'>} ruler measures texts
   */
  constructor(width, height, ruler) {
    this.#width = width;
    this.#height = height;
    this.#ruler = ruler;
  }

  /** Empties the drawing. */
  clearRect() {}

  save() {
    this.#saved.push({ x: this.#x, y: this.#y, alpha: this.globalAlpha });
  }

  restore() {
    const { x = 0, y = 0, alpha = 1 } = this.#saved.pop() ?? {};
    [this.#x, this.#y, this.globalAlpha] = [x, y, alpha];
  }

  /** @param {number} x @param {number} y */
  translate(x, y) {
    this.#x += x;
    this.#y += y;
  }

  /** @param {number[]} dashes */
  setLineDash(dashes) {
    this.#dashes = dashes;
  }

  beginPath() {
    this.#path = '';
  }

  /** @param {number} x @param {number} y */
  moveTo(x, y) {
    this.#path += `M${this.#at(x, y)}`;
  }

  /** @param {number} x @param {number} y */
  lineTo(x, y) {
    this.#path += `L${this.#at(x, y)}`;
  }

  closePath() {
    this.#path += 'Z';
  }

  /**
   * @param {number} x
   * @param {number} y
   * @param {number} width
   * @param {number} height
   */
  rect(x, y, width, height) {
    this.#path += `M${this.#at(x, y)}h${short(width)}v${short(height)}h${short(-width)}Z`;
  }

  /**
   * @param {number} x
   * @param {number} y
   * @param {number} width
   * @param {number} height
   * @param {number} radius
   */
  roundRect(x, y, width, height, radius) {
    const [w, h] = [short(width - 2 * radius), short(height - 2 * radius)];
    const corner = (/** @type {string} */ to) => `a${radius} ${radius} 0 0 1 ${to}`;
    this.#path +=
      `M${this.#at(x + radius, y)}h${w}${corner(`${radius} ${radius}`)}v${h}` +
      `${corner(`${-radius} ${radius}`)}h-${w}${corner(`${-radius} ${-radius}`)}v-${h}` +
      `${corner(`${radius} ${-radius}`)}Z`;
  }

  fill() {
    this.#add('path', `d="${this.#path}" ${this.#filled}`);
  }

  stroke() {
    this.#add('path', `d="${this.#path}" ${this.#stroked}`);
  }

  /**
   * @param {number} x
   * @param {number} y
   * @param {number} width
   * @param {number} height
   */
  fillRect(x, y, width, height) {
    this.#add('rect', `${this.#box(x, y, width, height)} ${this.#filled}`);
  }

  /**
   * @param {number} x
   * @param {number} y
   * @param {number} width
   * @param {number} height
   */
  strokeRect(x, y, width, height) {
    this.#add('rect', `${this.#box(x, y, width, height)} ${this.#stroked}`);
  }

  /** @param {string} text @param {number} x @param {number} y */
  fillText(text, x, y) {
    const anchor = ANCHORS[this.textAlign];
    const where = `x="${short(x + this.#x)}" y="${short(y + this.#y)}"`;
    const how = `style="font:${escaped(this.font)}"${anchor ? ` text-anchor="${anchor}"` : ''}`;
    const middle = this.textBaseline === 'middle' ? ' dominant-baseline="central"' : '';
    this.#add('text', `${where} ${how}${middle} ${this.#filled}`, escaped(text));
  }

  /** @param {string} text */
  measureText(text) {
    this.#ruler.font = this.font;
    return this.#ruler.measureText(text);
  }

  /** @param {string} title the picture's, for programs @returns {string} an SVG file */
  toSvg(title) {
    const [width, height] = [Math.ceil(this.#width), Math.ceil(this.#height)];
    const size = `width="${width}" height="${height}" viewBox="0 0 ${width} ${height}"`;
    const head = `<svg xmlns="http://www.w3.org/2000/svg" ${size}>`;
    const lines = [head, `<title>${escaped(title)}</title>`, ...this.#elements, '</svg>', ''];
    return lines.join('\n');
  }

  get #filled() {
    return `fill="${escaped(this.fillStyle)}"${this.#alpha}`;
  }

  get #stroked() {
    const dashes = this.#dashes.length > 0 ? ` stroke-dasharray="${this.#dashes.join(' ')}"` : '';
    const line = `stroke="${escaped(this.strokeStyle)}" stroke-width="${this.lineWidth}"`;
    return `fill="none" ${line}${dashes}${this.#alpha}`;
  }

  get #alpha() {
    return this.globalAlpha === 1 ? '' : ` opacity="${short(this.globalAlpha)}"`;
  }

  /** @param {number} x @param {number} y */
  #at(x, y) {
    return `${short(x + this.#x)} ${short(y + this.#y)}`;
  }

  /**
   * @param {number} x
   * @param {number} y
   * @param {number} width
   * @param {number} height
   */
  #box(x, y, width, height) {
    const size = `width="${short(width)}" height="${short(height)}"`;
    return `x="${short(x + this.#x)}" y="${short(y + this.#y)}" ${size}`;
  }

  /**
   * @param {string} name
   * @param {string} attributes
   * @param {string} [text]
   */
  #add(name, attributes, text) {
    const end = text === undefined ? '/>' : `>${text}</${name}>`;
    this.#elements.push(`<${name} ${attributes}${end}`);
  }
}

/** Rounds to a hundredth of a pixel. @param {number} number */
function short(number) {
  return String(Math.round(number * 100) / 100);
}

/** @param {string} text */
function escaped(text) {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
