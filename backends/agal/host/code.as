
/** The byte code of a stage: its header, and the words of its tokens. */
private static function assembled(version:int, stage:int, words:Vector.<uint>):ByteArray {
    const code:ByteArray = new ByteArray();
    code.endian = Endian.LITTLE_ENDIAN;
    code.writeByte(0xa0);
    code.writeUnsignedInt(version);
    code.writeByte(0xa1);
    code.writeByte(stage);
    for each (var word:uint in words) code.writeUnsignedInt(word);
    code.position = 0;
    return code;
}
